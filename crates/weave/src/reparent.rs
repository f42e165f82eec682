//! Native spans under the journey that they belong to. They are kept as they came; only the reader re-parents them.

use clew_model::{Span, SpanId, TraceId};
use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::output::{Child, Edge};

/// Where a segment hangs.
struct Place {
    journey: TraceId,
    parent: SpanId,
    /// The segment's own id, as text.
    original: CompactString,
}

/// The native spans that belong to journeys, with the journey's trace id; the roots of a segment hang on the span that
/// it was attached to, and each span keeps its own trace id in `clew.original_trace_id`.
pub fn reparent(mut native: Vec<Span>, edges: &[Edge]) -> Vec<Span> {
    let mut places: FxHashMap<TraceId, Place> = FxHashMap::default();
    for edge in edges {
        if let Child::Segment(trace) = edge.child {
            let original = || CompactString::from(trace.to_string());
            places.entry(trace).or_insert_with(|| Place {
                journey: edge.journey,
                parent: edge.parent,
                original: original(),
            });
        }
    }
    let known: FxHashSet<(TraceId, SpanId)> = native.iter().map(|span| (span.trace_id, span.span_id)).collect();
    native.retain_mut(|span| {
        let Some(place) = places.get(&span.trace_id) else { return false };
        let has_parent = span.parent.is_some_and(|parent| known.contains(&(span.trace_id, parent)));
        if !has_parent {
            span.parent = Some(place.parent);
        }
        span.attributes.push("clew.original_trace_id", place.original.clone());
        span.trace_id = place.journey;
        true
    });
    native
}

#[cfg(test)]
mod tests {
    use clew_model::{Evidence, Time};

    use super::*;

    fn span(trace: u8, id: u8, parent: Option<u8>) -> Span {
        let mut span =
            Span::new(TraceId::from_bytes([trace; 16]), SpanId::from_bytes([id; 8]), "s", Time::from_nanos(1));
        span.parent = parent.map(|parent| SpanId::from_bytes([parent; 8]));
        span
    }

    #[test]
    fn only_roots_change_their_parent_and_strangers_are_left_out() {
        let journey = TraceId::from_bytes([9; 16]);
        let write = SpanId::from_bytes([7; 8]);
        let edge = Edge {
            journey,
            parent: write,
            child: Child::Segment(TraceId::from_bytes([1; 16])),
            evidence: Evidence::Context,
        };
        let placed = reparent(vec![span(1, 1, Some(5)), span(1, 2, Some(1)), span(2, 3, None)], &[edge]);
        assert_eq!(placed.len(), 2);
        assert!(placed.iter().all(|span| span.trace_id == journey));
        assert_eq!(placed[0].parent, Some(write));
        assert_eq!(placed[1].parent, Some(SpanId::from_bytes([1; 8])));
        let original = "01".repeat(16);
        assert_eq!(placed[0].attributes.get_str("clew.original_trace_id"), Some(original.as_str()));
    }
}
