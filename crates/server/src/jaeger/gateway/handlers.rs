//! The answers.

use axum::Json;
use axum::extract::Path;
use clew_collect::encode::otlp_json;
use clew_model::Span;
use clew_store::TimeRange;
use serde_json::{Map, Value, json};

use super::parameters::{self, named};
use super::refused::Refused;
use crate::jaeger::{dependencies as calls, names, traces as found};
use crate::trace::{Asked, Fault, Summary, load, trace_id};
use crate::viewed::Viewed;

/// `/api/v3/services`.
pub(crate) async fn services(Viewed(app): Viewed) -> Result<Json<Value>, Refused> {
    Ok(Json(json!({"services": names::services(&*app.store).await?})))
}

/// `/api/v3/operations`.
pub(crate) async fn operations(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Refused> {
    let Some(service) = asked.get("service") else {
        return Err(Fault::bad_request("parameter service: it is required").into());
    };
    let kind = asked.get(named(&asked, "span_kind", "spanKind"));
    let operations = names::operations(&*app.store, service, kind).await?;
    let told = operations.into_iter().map(|operation| json!({"name": operation.name, "spanKind": operation.kind}));
    Ok(Json(json!({"operations": told.collect::<Vec<_>>()})))
}

/// `/api/v3/traces/{id}`.
pub(crate) async fn trace(Viewed(app): Viewed, Path(id): Path<String>, asked: Asked) -> Result<Json<Value>, Refused> {
    let raw = asked.switch(named(&asked, "raw_traces", "rawTraces"))? || asked.switch("raw")?;
    let id = trace_id(&id)?;
    let spans = load(&*app.store, id, raw).await?.spans;
    if spans.is_empty() {
        return Err(Fault::not_found(format!("no trace {id}: it never came, or is older than what is kept")).into());
    }
    Ok(result(&spans))
}

/// `POST /api/v3/traces`, with the parameters as JSON.
pub(crate) async fn post_traces(state: Viewed, Json(body): Json<Map<String, Value>>) -> Result<Json<Value>, Refused> {
    traces(state, Asked::from_json(&body)).await
}

/// `/api/v3/traces`.
pub(crate) async fn traces(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Refused> {
    let query = parameters::search(&asked)?;
    let found = found::matching(&*app.store, &query).await?;
    if found.is_empty() {
        return Err(Fault::not_found("no traces found").into());
    }
    Ok(result(&found.concat()))
}

/// One chunk of a stream, as the gateway wraps it.
fn result(spans: &[Span]) -> Json<Value> {
    // `json!` would copy it.
    Json(Value::Object(Map::from_iter([("result".to_owned(), otlp_json(spans))])))
}

/// `POST /api/v3/trace-summaries`, with the parameters as JSON.
pub(crate) async fn post_summaries(
    state: Viewed,
    Json(body): Json<Map<String, Value>>,
) -> Result<Json<Value>, Refused> {
    summaries(state, Asked::from_json(&body)).await
}

/// `/api/v3/trace-summaries`.
pub(crate) async fn summaries(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Refused> {
    let query = parameters::search(&asked)?;
    let found = found::summaries(&*app.store, &query).await?;
    Ok(Json(json!({"summaries": found.iter().map(summary).collect::<Vec<_>>()})))
}

fn summary(summary: &Summary) -> Value {
    let services = summary
        .services
        .iter()
        .map(|(name, count)| json!({"name": name, "spanCount": count.spans, "errorSpanCount": count.errors}));
    json!({
        "traceId": summary.id,
        "rootServiceName": summary.root_service,
        "rootOperationName": summary.root_name,
        "minStartTimeUnixNano": summary.start.to_string(),
        "maxEndTimeUnixNano": summary.end().to_string(),
        "spanCount": summary.spans(),
        "errorSpanCount": summary.errors(),
        "orphanSpanCount": summary.orphans,
        "services": services.collect::<Vec<_>>(),
    })
}

/// `/api/v3/dependencies`.
pub(crate) async fn dependencies(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Refused> {
    let range = TimeRange {
        from: asked.rfc3339(named(&asked, "start_time", "startTime"))?,
        to: asked.rfc3339(named(&asked, "end_time", "endTime"))?,
    };
    let calls = calls::dependencies(&*app.store, range).await?;
    let told = calls
        .into_iter()
        .map(|(parent, child, calls)| json!({"parent": parent, "child": child, "callCount": calls.to_string()}));
    Ok(Json(json!({"dependencies": told.collect::<Vec<_>>()})))
}
