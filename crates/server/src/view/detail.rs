//! One journey with everything that hangs on it.

use clew_model::{Evidence, Span, SpanId, TraceId};
use clew_store::JourneyDetail;
use clew_weave::{Child, Edge, FieldDiff, JourneyObject, reparent};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::row::{Row, Usual};
use super::span::SpanView;
use crate::pieces::Pieces;

/// A journey as the page draws it, without its spans, which are written by others.
#[derive(Debug, Serialize)]
struct Detail<'a> {
    spans: [(); 0],
    #[serde(flatten)]
    row: Row<'a>,
    diff: &'a [FieldDiff],
    objects: &'a [JourneyObject],
    segments: &'a [TraceId],
    edges: Vec<EdgeView<'a>>,
}

/// Why something hangs on a span.
#[derive(Debug, Serialize)]
struct EdgeView<'a> {
    parent: SpanId,
    child: &'a Child,
    evidence: Evidence,
}

/// A journey as the page draws it, as JSON.
pub(crate) fn detail(mut detail: JourneyDetail, usual: Option<Usual>) -> serde_json::Result<Pieces> {
    let reasons = Reasons::new(&detail.edges);
    let critical = clew_weave::critical_spans(&detail.spans);
    let failed = detail.spans.iter().filter(|span| span.status.code == clew_model::StatusCode::Error).count();
    let spans = Pieces::list(whole(&mut detail), move |span, out| {
        let mut view = SpanView::of(span);
        view.evidence = reasons.of(span, view.original_trace_id);
        view.critical = !view.native && critical.contains(&span.span_id);
        view.write(out)
    })?;
    let journey = &detail.journey;
    let around = Detail {
        spans: [],
        row: Row::of(&detail.cluster, journey, failed as u64, usual),
        diff: &journey.diff,
        objects: &journey.objects,
        segments: &journey.segments,
        edges: detail.edges.iter().map(edge_view).collect(),
    };
    spans.within(&around)
}

/// Spans that are no journey, as JSON.
pub(crate) fn spans(spans: Vec<Span>) -> serde_json::Result<Pieces> {
    Pieces::list(spans, |span, out| SpanView::of(span).write(out))
}

/// Takes all spans of a journey, in one trace: the native ones re-parented, in the order of their beginnings.
pub(crate) fn whole(detail: &mut JourneyDetail) -> Vec<Span> {
    let mut spans = std::mem::take(&mut detail.spans);
    let woven: FxHashSet<SpanId> = spans.iter().map(|span| span.span_id).collect();
    let mut native = reparent(std::mem::take(&mut detail.native), &detail.edges);
    native.retain(|span| !woven.contains(&span.span_id));
    spans.append(&mut native);
    spans.sort_by_key(|span| (span.start, span.parent.is_some(), span.span_id));
    spans
}

fn edge_view(edge: &Edge) -> EdgeView<'_> {
    EdgeView { parent: edge.parent, child: &edge.child, evidence: edge.evidence }
}

/// Why each span hangs where it hangs.
struct Reasons {
    spans: FxHashMap<SpanId, Evidence>,
    /// What each segment hangs on, and why.
    segments: FxHashMap<TraceId, (SpanId, Evidence)>,
}

impl Reasons {
    fn new(edges: &[Edge]) -> Self {
        let mut reasons = Self { spans: FxHashMap::default(), segments: FxHashMap::default() };
        for Edge { parent, child, evidence, .. } in edges {
            match child {
                Child::Span(id) => {
                    reasons.spans.entry(*id).or_insert(*evidence);
                }
                Child::Segment(id) => {
                    reasons.segments.entry(*id).or_insert((*parent, *evidence));
                }
            }
        }
        reasons
    }

    /// Of a native span, which comes with the trace that it was in, only roots hang on something of clew's.
    fn of(&self, span: &Span, original: Option<&str>) -> Option<Evidence> {
        let Some(original) = original else { return self.spans.get(&span.span_id).copied() };
        let (parent, evidence) = self.segments.get(&original.parse().ok()?)?;
        (span.parent == Some(*parent)).then_some(*evidence)
    }
}
