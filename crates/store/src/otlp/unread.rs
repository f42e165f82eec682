//! The spans of a request that were checked and not read: who they are, and where they lie.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use clew_model::TraceId;

use super::decode::count;
use super::limits::{Counts, Limits, Reason};
use super::span::{SpanReader, resource_attributes};
use super::value::{self, Loss};
use super::{Fault, Malformed, walk};
use crate::{Result, StoreError};

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
        if u32::try_from(request.len()).is_err() {
            return Err(StoreError::Limit(format!("{} bytes a request", u32::MAX)));
        }
        let spans = Vec::with_capacity(request.len() / SPAN);
        let mut found = Self { request: request.clone(), limits: *limits, parts: Vec::new(), spans };
        let mut counts = Counts::default();
        let mut reader = SpanReader::that_only_checks();
        for group in walk::groups(request) {
            found.group(request, group?, &mut reader, &mut counts)?;
        }
        Ok((found, counts))
    }

    fn group<'a>(
        &mut self,
        request: &'a Bytes,
        group: &'a [u8],
        reader: &mut SpanReader<'a>,
        counts: &mut Counts,
    ) -> Result<()> {
        match resource_attributes(walk::resources(group), &self.limits, reader, counts) {
            Ok(()) => {}
            Err(Fault::Malformed(malformed)) => return Err(malformed.into()),
            Err(Fault::Refused(reason)) => {
                counts.add(reason, count(group)?);
                return Ok(());
            }
        }
        let resource = resource(request, group)?;
        for part in walk::scopes(group) {
            self.part(request, &resource, part?, reader, counts)?;
        }
        Ok(())
    }

    fn part<'a>(
        &mut self,
        request: &'a Bytes,
        resource: &Bytes,
        part: &'a [u8],
        reader: &mut SpanReader<'a>,
        counts: &mut Counts,
    ) -> Result<()> {
        let scope = scope_name(part, &self.limits)?;
        let number = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        for span in walk::spans(part) {
            let span = span?;
            let read = if counts.taken >= self.limits.spans as u64 {
                Err(Fault::Refused(Reason::Spans))
            } else if scope.is_none() {
                Err(Fault::Refused(Reason::Utf8))
            } else {
                reader.read(span, &self.limits, counts)
            };
            match read {
                Ok(()) => self.spans.push(Spot::new(request, span, number, reader)),
                Err(Fault::Refused(reason)) => counts.add(reason, 1),
                Err(Fault::Malformed(malformed)) => return Err(malformed.into()),
            }
        }
        if self.spans.last().is_some_and(|span| span.part == number) {
            let scope = self.scope(scope.unwrap_or_default());
            self.parts.push(Part { resource: resource.clone(), scope });
        }
        Ok(())
    }

    /// The name of a scope: a component has few of them, and says them often.
    fn scope(&self, name: &str) -> Arc<str> {
        let known = self.parts.iter().rev().take(8).find(|part| *part.scope == *name);
        known.map_or_else(|| name.into(), |part| Arc::clone(&part.scope))
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
        (&self.request[span.from as usize..span.to as usize], &part.resource, &part.scope)
    }
}

impl Spot {
    fn new(request: &[u8], span: &[u8], part: u32, reader: &SpanReader<'_>) -> Self {
        let lies = place(request, span);
        // A request has fewer bytes than fit.
        let [from, to] = [lies.start, lies.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Self { trace_id: TraceId::from_bytes(reader.row.trace_id), start: reader.row.start, from, to, part }
    }
}

/// Where a part of a request lies; nowhere, if it is no part of it.
fn place(request: &[u8], part: &[u8]) -> Range<usize> {
    let from = part.as_ptr().addr().wrapping_sub(request.as_ptr().addr());
    if part.is_empty() || from >= request.len() { 0..0 } else { from..from + part.len() }
}

/// The resource of a group as one message: sent in parts, it is their sequence, as protobuf has it.
fn resource(request: &Bytes, group: &[u8]) -> std::result::Result<Bytes, Malformed> {
    let mut all = Bytes::new();
    for part in walk::resources(group) {
        let part = part?;
        all = if all.is_empty() { request.slice(place(request, part)) } else { [&all, part].concat().into() };
    }
    Ok(all)
}

/// The scope's name; none if it is not UTF-8.
pub(super) fn scope_name<'a>(part: &'a [u8], limits: &Limits) -> std::result::Result<Option<&'a str>, Malformed> {
    match value::short(walk::scope_name(part)?, limits, &mut Loss::default()) {
        Ok(name) => Ok(Some(name)),
        Err(Fault::Refused(_)) => Ok(None),
        Err(Fault::Malformed(malformed)) => Err(malformed),
    }
}
