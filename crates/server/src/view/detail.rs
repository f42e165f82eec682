//! One journey with everything that hangs on it.

use std::collections::{HashMap, HashSet};

use clew_model::{Evidence, Span, SpanId, TraceId};
use clew_store::JourneyDetail;
use clew_weave::{Child, Edge, FieldDiff, JourneyObject, reparent};
use serde::Serialize;

use super::row::{Row, Usual};
use super::span::{SpanView, is_woven, span_view};

/// A journey as the page draws it.
#[derive(Debug, Serialize)]
pub(crate) struct Detail<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    diff: &'a [FieldDiff],
    objects: &'a [JourneyObject],
    segments: &'a [TraceId],
    spans: Vec<SpanView<'a>>,
    edges: Vec<EdgeView<'a>>,
}

/// Why something hangs on a span.
#[derive(Debug, Serialize)]
struct EdgeView<'a> {
    parent: SpanId,
    child: &'a Child,
    evidence: Evidence,
}

/// All spans of a journey in one trace, the native ones re-parented; in the order of their beginnings.
pub(crate) fn whole(detail: &JourneyDetail) -> Vec<Span> {
    let mut spans = detail.spans.clone();
    let woven: HashSet<SpanId> = spans.iter().map(|span| span.span_id).collect();
    let native = reparent(&detail.native, &detail.edges);
    spans.extend(native.into_iter().filter(|span| !woven.contains(&span.span_id)));
    spans.sort_by_key(|span| (span.start, span.parent.is_some(), span.span_id));
    spans
}

impl<'a> Detail<'a> {
    /// Takes the spans from [`whole`].
    pub(crate) fn new(detail: &'a JourneyDetail, whole: &'a [Span], usual: Option<Usual>) -> Self {
        let journey = &detail.journey;
        let evidence = Reasons::new(&detail.edges, &detail.native);
        let critical = clew_weave::critical_spans(&detail.spans);
        let spans = whole.iter().map(|span| {
            let native = !is_woven(span);
            let mut view = span_view(span);
            view.native = native;
            view.evidence = evidence.of(span, view.original_trace_id);
            view.critical = !native && critical.contains(&span.span_id);
            view
        });
        let failed = detail.spans.iter().filter(|span| span.status.code == clew_model::StatusCode::Error).count();
        Self {
            row: Row::of(&detail.cluster, journey, failed as u64, usual),
            diff: &journey.diff,
            objects: &journey.objects,
            segments: &journey.segments,
            spans: spans.collect(),
            edges: detail.edges.iter().map(edge_view).collect(),
        }
    }
}

fn edge_view(edge: &Edge) -> EdgeView<'_> {
    EdgeView { parent: edge.parent, child: &edge.child, evidence: edge.evidence }
}

/// Why each span hangs where it hangs.
struct Reasons {
    spans: HashMap<SpanId, Evidence>,
    segments: HashMap<TraceId, Evidence>,
    /// The native spans that are roots of their segments: only they hang on something of clew's.
    roots: HashSet<SpanId>,
}

impl Reasons {
    fn new(edges: &[Edge], native: &[Span]) -> Self {
        let mut reasons = Self { spans: HashMap::new(), segments: HashMap::new(), roots: HashSet::new() };
        for edge in edges {
            match &edge.child {
                Child::Span(id) => reasons.spans.entry(*id).or_insert(edge.evidence),
                Child::Segment(id) => reasons.segments.entry(*id).or_insert(edge.evidence),
            };
        }
        let known: HashSet<(TraceId, SpanId)> = native.iter().map(|span| (span.trace_id, span.span_id)).collect();
        let is_root = |span: &&Span| span.parent.is_none_or(|parent| !known.contains(&(span.trace_id, parent)));
        reasons.roots = native.iter().filter(is_root).map(|span| span.span_id).collect();
        reasons
    }

    fn of(&self, span: &Span, original: Option<&str>) -> Option<Evidence> {
        let Some(original) = original else { return self.spans.get(&span.span_id).copied() };
        if !self.roots.contains(&span.span_id) {
            return None;
        }
        original.parse().ok().and_then(|trace: TraceId| self.segments.get(&trace).copied())
    }
}
