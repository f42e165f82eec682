//! A trace by its id, in protobuf or JSON.

use axum::Json;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use clew_collect::encode::otlp_json;
use clew_model::Span;
use http::{HeaderMap, header};
use opentelemetry_proto::tonic::trace::v1::TracesData;
use prost::Message;
use serde_json::{Value, json};

use super::wording::in_tempos_words;
use crate::app::App;
use crate::trace::{Asked, Fault, load, trace_id, traces_data};
use crate::viewed::Viewed;

const PROTOBUF: &str = "application/protobuf";

/// Tempo's answer of the second version.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct TraceById {
    #[prost(message, optional, tag = "1")]
    pub(super) trace: Option<TracesData>,
    #[prost(message, optional, tag = "2")]
    pub(super) metrics: Option<TraceByIdMetrics>,
}

/// What the answer cost; nothing is told.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct TraceByIdMetrics {}

/// `/api/traces/{id}`.
pub(crate) async fn trace_v1(
    Viewed(app): Viewed,
    Path(id): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let spans = spans(&app, &id, &asked).await?;
    if wants_protobuf(&headers) {
        return Ok(protobuf(&traces_data(&spans)));
    }
    let mut trace = in_tempos_words(otlp_json(&spans));
    let batches = trace.get_mut("resourceSpans").map(Value::take).unwrap_or_default();
    Ok(Json(json!({"batches": batches})).into_response())
}

/// `/api/v2/traces/{id}`.
pub(super) async fn trace_v2(
    Viewed(app): Viewed,
    Path(id): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let spans = spans(&app, &id, &asked).await?;
    if wants_protobuf(&headers) {
        let metrics = Some(TraceByIdMetrics {});
        return Ok(protobuf(&TraceById { trace: Some(traces_data(&spans)), metrics }));
    }
    Ok(Json(json!({"trace": in_tempos_words(otlp_json(&spans)), "metrics": {}})).into_response())
}

async fn spans(app: &App, id: &str, asked: &Asked) -> Result<Vec<Span>, Fault> {
    let id = trace_id(id)?;
    let loaded = load(&*app.store, id, asked.switch("raw")?).await?;
    if loaded.spans.is_empty() {
        return Err(Fault::not_found(format!("no trace {id}: it never came, or is older than what is kept")));
    }
    Ok(loaded.spans)
}

/// Whether the caller asks for protobuf.
pub(crate) fn wants_protobuf(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|kind| kind.trim().starts_with(PROTOBUF))
}

fn protobuf(message: &impl Message) -> Response {
    ([(header::CONTENT_TYPE, PROTOBUF)], message.encode_to_vec()).into_response()
}
