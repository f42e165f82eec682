//! Spans as OTLP's messages.

use clew_collect::encode::otlp_request;
use clew_model::{Span, Value};
use opentelemetry_proto::tonic::trace::v1::TracesData;
use serde_json::{Value as Json, json};

/// One message with all the spans, grouped by who made them.
pub(crate) fn traces_data(spans: &[Span]) -> TracesData {
    let mut data = TracesData { resource_spans: otlp_request(spans).resource_spans };
    let scopes = data.resource_spans.iter_mut().flat_map(|group| &mut group.scope_spans);
    for span in scopes.flat_map(|scope| &mut scope.spans) {
        // A span that goes on has no end yet; viewers draw one from the epoch otherwise.
        if span.end_time_unix_nano == 0 {
            span.end_time_unix_nano = span.start_time_unix_nano;
        }
    }
    data
}

/// A plain value in protobuf's JSON; what is nested is told as text.
pub(crate) fn any_json(value: &Value) -> Json {
    match value {
        Value::Str(text) => json!({"stringValue": text}),
        Value::Bool(yes) => json!({"boolValue": yes}),
        Value::Int(number) => json!({"intValue": number.to_string()}),
        Value::Double(number) => json!({"doubleValue": number}),
        other => json!({"stringValue": format!("{other:?}")}),
    }
}
