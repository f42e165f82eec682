//! The spans of a request that were checked and not read: who they are, and where they lie.

use std::hash::{BuildHasher, Hasher as _};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use clew_model::TraceId;

use super::check::look;
use super::limits::{Counts, Limits};
use crate::Result;
use crate::columns::Row;

/// What a span takes on the wire, about.
const SPAN: usize = 256;

/// The spans of a request that can be taken. Columns take three times the bytes and as long again, so that they are made
/// when somebody asks for them, or in the order of their table.
#[derive(Debug, Clone)]
pub struct Unread {
    request: Bytes,
    limits: Limits,
    parts: Vec<Part>,
    spans: Vec<Spot>,
}

/// One span, by what its place among others depends on.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    /// Its trace.
    pub trace_id: TraceId,
    /// When it began, in nanoseconds.
    pub start: i64,
    from: u32,
    to: u32,
    part: u32,
}

/// What spans that follow each other have in common.
#[derive(Debug, Clone)]
struct Part {
    resource: Bytes,
    scope: Arc<str>,
}

impl Unread {
    /// Checks each span of a request. A request that is no protobuf is an error; a span that breaks a rule is counted and
    /// left out.
    pub fn new(request: &Bytes, limits: &Limits) -> Result<(Self, Counts)> {
        look(request, limits).map(|checked| (checked.spans, checked.counts))
    }

    /// No spans of a request.
    pub(super) fn of(request: &Bytes, limits: &Limits) -> Self {
        let spans = Vec::with_capacity(request.len() / SPAN);
        Self { request: request.clone(), limits: *limits, parts: Vec::new(), spans }
    }

    /// The spans that follow have this in common; gives its number.
    pub(super) fn enter(&mut self, resource: &Bytes, scope: &str) -> u32 {
        // A component has few scopes, and says them often.
        let known = self.parts.iter().rev().take(8).find(|part| *part.scope == *scope);
        let scope = known.map_or_else(|| scope.into(), |part| Arc::clone(&part.scope));
        self.parts.push(Part { resource: resource.clone(), scope });
        u32::try_from(self.parts.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds a span.
    pub(super) fn push(&mut self, span: Spot) {
        self.spans.push(span);
    }

    /// A hash of each span as it came, with its resource and the name of its scope.
    pub fn hashes(&self, key: &impl BuildHasher) -> Vec<u64> {
        let parts: Vec<u64> = self.parts.iter().map(|part| key.hash_one((&part.resource, &part.scope))).collect();
        let hash = |span: &Spot| {
            let mut hasher = key.build_hasher();
            hasher.write_u64(parts[span.part as usize]);
            hasher.write(self.lies(span).0);
            hasher.finish()
        };
        self.spans.iter().map(hash).collect()
    }

    /// The request.
    pub fn request(&self) -> &Bytes {
        &self.request
    }

    /// The spans, in their order.
    pub fn spans(&self) -> &[Spot] {
        &self.spans
    }

    /// Leaves spans out, by their places.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut at = 0;
        self.spans.retain(|_| {
            at += 1;
            keep(at - 1)
        });
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// A span as it lies, with its resource and the name of its scope.
    pub(super) fn lies(&self, span: &Spot) -> (&[u8], &Bytes, &str) {
        let part = &self.parts[span.part as usize];
        (&self.request[span.lies()], &part.resource, &part.scope)
    }
}

impl Spot {
    pub(super) fn new(request: &[u8], span: &[u8], part: u32, row: &Row<'_>) -> Self {
        let lies = place(request, span);
        // A request has fewer bytes than fit.
        let [from, to] = [lies.start, lies.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Self { trace_id: TraceId::from_bytes(row.trace_id), start: row.start, from, to, part }
    }

    /// Where it lies in its request.
    pub fn lies(&self) -> Range<usize> {
        self.from as usize..self.to as usize
    }
}

/// Where a part of a request lies; nowhere, if it is no part of it.
pub(super) fn place(request: &[u8], part: &[u8]) -> Range<usize> {
    let from = part.as_ptr().addr().wrapping_sub(request.as_ptr().addr());
    if part.is_empty() || from >= request.len() { 0..0 } else { from..from + part.len() }
}
