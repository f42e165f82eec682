//! Traces that a query finds.

use axum::Json;
use clew_model::Span;
use serde_json::{Map, Value, json};

use super::asked_query::query_of;
use super::attribute::{attribute, told};
use crate::trace::{Asked, Fault, Search, Summary, find};
use crate::traceql::{Evaluator, FieldName, Group, Stage, TraceView, candidates};
use crate::viewed::Viewed;

/// Traces of an answer, if the caller does not say, and at most.
const TRACES: (usize, usize) = (20, 1_000);
/// Spans told of each set, if the caller does not say, and at most.
const SPANS_PER_SET: (usize, usize) = (3, 1_000);
/// What Tempo says while it has no root.
const NO_ROOT: &str = "<root span not yet received>";

/// `/api/search`.
pub(super) async fn search(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Fault> {
    let query = query_of(&asked)?;
    if query.stages.iter().any(|stage| matches!(stage, Stage::Metrics(_))) {
        let message = "numbers over time are asked for at /api/metrics/query_range, traces at /api/search";
        return Err(Fault::bad_request(message));
    }
    let limit = asked.limit("limit", TRACES.0, TRACES.1)?;
    let spans = asked.limit("spss", SPANS_PER_SET.0, SPANS_PER_SET.1)?;
    let search = Search { filter: candidates(&query).filter, range: asked.range()?, limit };
    let evaluator = Evaluator::new(&query);
    let fields = evaluator.told();
    let keep = |trace: &[Span]| {
        let view = TraceView::new(trace);
        let groups = evaluator.groups(&view);
        (!groups.is_empty()).then(|| found_trace(&view, &groups, &fields, spans))
    };
    let mut found = find(&*app.store, &search, keep).await?;
    found.kept.sort_by(|(one, _), (other, _)| other.cmp(one));
    let traces: Vec<Value> = found.kept.into_iter().map(|(_, trace)| trace).collect();
    let metrics = json!({
        "inspectedTraces": found.looked,
        "completedJobs": 1,
        "totalJobs": if found.complete { 1 } else { 2 },
    });
    Ok(Json(json!({"traces": traces, "metrics": metrics})))
}

/// A trace of the answer, with its beginning to sort by.
fn found_trace(view: &TraceView<'_>, groups: &[Group], fields: &[FieldName], spans: usize) -> (i64, Value) {
    let summary = Summary::of(view);
    let sets: Vec<Value> = groups.iter().map(|group| span_set(view, group, fields, spans)).collect();
    let services = summary
        .services
        .iter()
        .map(|(name, count)| (name.clone(), json!({"spanCount": count.spans, "errorCount": count.errors})));
    let root = if summary.root_name.is_empty() { NO_ROOT } else { &summary.root_service };
    let trace = json!({
        "traceID": summary.id,
        "rootServiceName": root,
        "rootTraceName": summary.root_name,
        "startTimeUnixNano": summary.start.to_string(),
        "durationMs": u32::try_from(summary.duration / 1_000_000).unwrap_or(u32::MAX),
        "spanSet": sets.first(),
        "spanSets": sets,
        "serviceStats": services.collect::<Map<String, Value>>(),
    });
    (summary.start, trace)
}

fn span_set(view: &TraceView<'_>, group: &Group, fields: &[FieldName], limit: usize) -> Value {
    let spans = group.spans.iter().take(limit).map(|place| {
        let span = &view.spans[*place];
        json!({
            "spanID": span.span_id,
            "name": span.name,
            "startTimeUnixNano": span.start.as_nanos().to_string(),
            "durationNanos": span.duration().unwrap_or(0).to_string(),
            "attributes": told(view, *place, fields),
        })
    });
    let mut set = json!({"spans": spans.collect::<Vec<_>>(), "matched": group.spans.len()});
    if !group.by.is_empty() {
        let by = group.by.iter().filter_map(|(field, value)| Some(attribute(&format!("by({field})"), value.as_ref()?)));
        set["attributes"] = Value::Array(by.collect());
    }
    set
}
