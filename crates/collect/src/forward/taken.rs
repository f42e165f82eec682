//! What an endpoint took, whichever replica sent it: each span's newest content, over restarts.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clew_model::TraceId;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use rustc_hash::FxHashMap;

/// How many spans are remembered: some 10 MiB. One that is forgotten goes out again if its journey does.
const SPANS: usize = 256 * 1024;
/// A span's key and the hash of its content.
pub(super) const ENTRY: usize = 16;

/// A span that an endpoint took: which, and in what form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    span: u64,
    content: u64,
}

/// The spans that an endpoint took.
pub(super) struct Taken {
    spans: FxHashMap<u64, u64>,
    order: VecDeque<u64>,
    file: File,
    path: PathBuf,
    /// Entries in the file, those that were replaced included.
    written: usize,
}

impl Mark {
    fn of(span: &Span) -> Self {
        let mut id = blake3::Hasher::new();
        id.update(&span.trace_id).update(&span.span_id);
        Self { span: first(&id.finalize()), content: first(&blake3::hash(&span.encode_to_vec())) }
    }

    pub(super) fn to_bytes(self) -> [u8; ENTRY] {
        (u128::from(self.span) << 64 | u128::from(self.content)).to_be_bytes()
    }

    pub(super) fn from_bytes(bytes: [u8; ENTRY]) -> Self {
        let both = u128::from_be_bytes(bytes);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        Self { span: (both >> 64) as u64, content: both as u64 }
    }
}

/// The marks of all spans of a request, and the journeys that they belong to.
pub(super) fn marks(request: &ExportTraceServiceRequest) -> (Vec<Mark>, Vec<TraceId>) {
    let mut journeys = Vec::new();
    let mut marks = Vec::new();
    for span in spans(request) {
        marks.push(Mark::of(span));
        if let Some(journey) = TraceId::from_slice(&span.trace_id)
            && journeys.last() != Some(&journey)
        {
            journeys.push(journey);
        }
    }
    (marks, journeys)
}

fn spans(request: &ExportTraceServiceRequest) -> impl Iterator<Item = &Span> {
    let resources = request.resource_spans.iter();
    resources.flat_map(|resource| &resource.scope_spans).flat_map(|scope| &scope.spans)
}

impl Taken {
    /// Opens what an earlier run left, and shortens it to what is remembered.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let old = match fs::read(path) {
            Ok(old) => old,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        fs::write(path, &old[..old.len() - old.len() % ENTRY])?;
        let file = OpenOptions::new().append(true).open(path)?;
        let (spans, order) = (FxHashMap::default(), VecDeque::new());
        let mut taken = Self { spans, order, file, path: path.to_owned(), written: old.len() / ENTRY };
        for entry in old.chunks_exact(ENTRY) {
            taken.remember(Mark::from_bytes(entry.try_into().unwrap_or_default()));
        }
        taken.shorten()?;
        Ok(taken)
    }

    /// Remembers what was taken. What cannot be written is sent once more after a restart, which is harmless.
    pub(super) fn add(&mut self, marks: &[Mark]) {
        let mut bytes = Vec::with_capacity(marks.len() * ENTRY);
        for mark in marks {
            self.remember(*mark);
            bytes.extend(mark.to_bytes());
        }
        self.written += marks.len();
        let _ = self.file.write_all(&bytes);
        if self.written > 2 * SPANS {
            let _ = self.shorten();
        }
    }

    /// Whether the endpoint has all these spans in this form.
    pub(super) fn has_all(&self, marks: &[Mark]) -> bool {
        marks.iter().all(|mark| self.spans.get(&mark.span) == Some(&mark.content))
    }

    /// Leaves in a request what the endpoint does not have in this form; says how many spans that are.
    pub(super) fn leave_news(&self, request: &mut ExportTraceServiceRequest) -> u64 {
        for resource in &mut request.resource_spans {
            for scope in &mut resource.scope_spans {
                scope.spans.retain(|span| !self.has_all(&[Mark::of(span)]));
            }
            resource.scope_spans.retain(|scope| !scope.spans.is_empty());
        }
        request.resource_spans.retain(|resource| !resource.scope_spans.is_empty());
        spans(request).count() as u64
    }

    fn remember(&mut self, mark: Mark) {
        if self.spans.insert(mark.span, mark.content).is_none() {
            self.order.push_back(mark.span);
        }
        if self.order.len() > SPANS {
            self.order.pop_front().and_then(|oldest| self.spans.remove(&oldest));
        }
    }

    /// Writes the file anew, with each span once.
    fn shorten(&mut self) -> io::Result<()> {
        if self.written == self.order.len() {
            return Ok(());
        }
        let mut short = Vec::with_capacity(self.order.len() * ENTRY);
        for span in &self.order {
            let content = self.spans.get(span).copied().unwrap_or_default();
            short.extend(Mark { span: *span, content }.to_bytes());
        }
        let beside = self.path.with_extension("new");
        fs::write(&beside, short)?;
        fs::rename(&beside, &self.path)?;
        self.file = OpenOptions::new().append(true).open(&self.path)?;
        self.written = self.order.len();
        Ok(())
    }
}

fn first(hash: &blake3::Hash) -> u64 {
    let (first, _) = hash.as_bytes().split_first_chunk().unwrap_or((&[0; 8], &[]));
    u64::from_le_bytes(*first)
}

#[cfg(test)]
mod tests {
    use clew_model::{SpanId, Time};

    use super::*;
    use crate::encode::otlp_request;

    fn request(names: &[&str]) -> ExportTraceServiceRequest {
        let span = |(number, name): (u8, &&str)| {
            let ids = (TraceId::from_bytes([1; 16]), SpanId::from_bytes([number; 8]));
            clew_model::Span::new(ids.0, ids.1, *name, Time::from_nanos(1))
        };
        otlp_request(&(1..).zip(names).map(span).collect::<Vec<_>>())
    }

    #[test]
    fn what_an_endpoint_has_is_left_out_and_what_changed_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        let mut taken = Taken::open(&path).unwrap();
        taken.add(&marks(&request(&["a", "b"])).0);
        assert_eq!(taken.leave_news(&mut request(&["a", "b"])), 0);
        let mut changed = request(&["a", "B", "c"]);
        assert_eq!(taken.leave_news(&mut changed), 2);
        taken.add(&marks(&changed).0);
        let mut again = Taken::open(&path).unwrap();
        assert!(again.has_all(&marks(&request(&["a", "B", "c"])).0), "over a restart");
        assert!(!again.has_all(&marks(&request(&["a", "b"])).0), "the newest form counts");
        again.shorten().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), 3 * ENTRY as u64);
    }
}
