//! Requests made of a capture's spans: the same shapes, with ids, names and times of their own.

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use bytes::Bytes;
use clew_collect::capture::{BadLines, Capture, ReadOptions, Source};
use clew_collect::decode::otlp;
use clew_collect::encode::{otlp_json, otlp_protobuf};
use clew_model::{Span, SpanId, TraceId};

use super::fresh::freshen;

/// How long after each other rounds begin: ten million spans are not quite two days, as a small cluster makes them. Rounds a
/// millisecond apart would put all of them into ten minutes, and every file of a store into the same time.
const STEP: i64 = 90_000_000_007;

/// The attribute by which the API server's spans name their request.
const AUDIT: &str = "audit-id";

/// The traces of a capture, over and over.
#[derive(Debug, Clone)]
pub struct Shape {
    spans: Arc<Vec<Span>>,
    /// How much later than in the capture the first round is.
    later: i64,
}

impl Shape {
    /// Reads the native spans of a capture.
    pub fn read(capture: &Path) -> anyhow::Result<Self> {
        let capture = Capture::open(capture).context("cannot read the capture")?;
        let mut spans = Vec::new();
        let mut bad = BadLines::default();
        capture.read(&ReadOptions::default(), &mut bad, &mut |line, bad| {
            if line.source == Source::Otlp {
                match otlp::spans(line.bytes) {
                    Ok(found) => spans.extend(found),
                    Err(error) => bad.report_json(line, &error),
                }
            }
            std::ops::ControlFlow::Continue(())
        });
        anyhow::ensure!(!spans.is_empty(), "the capture has no spans");
        Ok(Self { spans: Arc::new(spans), later: 0 })
    }

    /// The same with times of its own: after so many spans, it is now.
    #[must_use]
    pub fn until_now(mut self, spans: usize) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        let last = self.spans.iter().map(|span| span.start.as_nanos()).max().unwrap_or(now);
        let rounds = i64::try_from(spans / self.spans.len()).unwrap_or(i64::MAX);
        self.later = (now - last).saturating_sub(rounds.saturating_mul(STEP));
        self
    }

    /// The number of spans after which shapes come again.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is none, which `read` refuses.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The request number `number` of requests with `size` spans: no two have a span in common.
    pub fn request(&self, number: u64, size: usize) -> Bytes {
        let first = usize::try_from(number).unwrap_or_default() * size;
        let spans: Vec<Span> = (first..first + size).map(|at| self.span(at)).collect();
        otlp_protobuf(&spans)
    }

    /// A request with one trace of so many spans, to ask for by its id.
    pub fn one_trace(&self, id: TraceId, size: usize) -> Bytes {
        otlp_protobuf(&self.trace(id, size))
    }

    /// One trace of so many spans as OTLP/JSON; all that were part of a request to the API server were part of this one.
    pub fn segment(&self, id: TraceId, size: usize, audit: &str) -> String {
        let mut spans = self.trace(id, size);
        for span in spans.iter_mut().filter(|span| span.attributes.get(AUDIT).is_some()) {
            span.attributes.insert(AUDIT, audit);
        }
        otlp_json(&spans).to_string()
    }

    fn trace(&self, id: TraceId, size: usize) -> Vec<Span> {
        let mut spans: Vec<Span> = (0..size).map(|at| self.span(at)).collect();
        for (at, span) in spans.iter_mut().enumerate() {
            span.trace_id = id;
            span.span_id = SpanId::from_bytes((at as u64 + 1).to_be_bytes());
            span.parent = (at > 0).then(|| SpanId::from_bytes((at as u64 / 8 + 1).to_be_bytes()));
        }
        spans
    }

    fn span(&self, at: usize) -> Span {
        let round = (at / self.spans.len()) as u64;
        let mut span = self.spans[at % self.spans.len()].clone();
        span.trace_id = other_trace(span.trace_id, round);
        span.span_id = other_span(span.span_id, round);
        span.parent = span.parent.map(|parent| other_span(parent, round));
        freshen(&mut span.attributes, round);
        // Rounds follow each other, and no two take exactly as long.
        let later = self.later + i64::try_from(round).unwrap_or_default() * STEP;
        span.start = span.start.saturating_add(later);
        span.end = span.end.map(|end| end.saturating_add(later + later.rem_euclid(7_919)));
        span
    }
}

fn other_trace(id: TraceId, round: u64) -> TraceId {
    TraceId::from_bytes((u128::from_be_bytes(id.to_bytes()) ^ mixed(round)).to_be_bytes())
}

fn other_span(id: SpanId, round: u64) -> SpanId {
    let low = u64::try_from(mixed(round) & u128::from(u64::MAX)).unwrap_or_default();
    SpanId::from_bytes((u64::from_be_bytes(id.to_bytes()) ^ low).to_be_bytes())
}

/// A number that looks random, and zero for the first round.
fn mixed(round: u64) -> u128 {
    u128::from(round).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rounds_share_an_id() {
        let shape = Shape::read(Path::new("../captures/broken")).expect("a capture");
        let count = shape.len() * 3;
        let mut ids: Vec<_> = (0..count).map(|at| shape.span(at)).map(|span| (span.trace_id, span.span_id)).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
