//! A trace in the JSON of Jaeger's page.

use clew_model::{Attributes, Span, SpanKind, StatusCode, Value};
use serde_json::{Map, Value as Json, json};

use crate::trace::service_of;

/// A trace of one id.
pub(super) fn trace(spans: &[Span]) -> Json {
    let mut processes = Processes::default();
    let encoded: Vec<Json> = spans.iter().map(|span| encode(span, &processes.id(span))).collect();
    let id = spans.first().map(|span| span.trace_id);
    json!({"traceID": id, "spans": encoded, "processes": processes.json(), "warnings": null})
}

/// Who made the spans, each under a short name.
#[derive(Default)]
struct Processes<'a>(Vec<&'a Span>);

impl<'a> Processes<'a> {
    fn id(&mut self, span: &'a Span) -> String {
        let known = self.0.iter().position(|first| {
            std::sync::Arc::ptr_eq(&first.resource, &span.resource) || first.resource == span.resource
        });
        let place = known.unwrap_or_else(|| {
            self.0.push(span);
            self.0.len() - 1
        });
        format!("p{}", place + 1)
    }

    fn json(&self) -> Map<String, Json> {
        let process = |span: &Span| {
            let others = span.resource.iter().filter(|(key, _)| key != "service.name");
            let tags: Vec<Json> = others.map(|(key, value)| tag(key, value)).collect();
            json!({"serviceName": service_of(span), "tags": tags})
        };
        self.0.iter().enumerate().map(|(place, span)| (format!("p{}", place + 1), process(span))).collect()
    }
}

fn encode(span: &Span, process: &str) -> Json {
    let logs = span.events.iter().map(|event| {
        let mut fields = vec![json!({"key": "event", "type": "string", "value": event.name})];
        fields.extend(tags(&event.attributes));
        json!({"timestamp": micros(event.time.as_nanos()), "fields": fields})
    });
    json!({
        "traceID": span.trace_id,
        "spanID": span.span_id,
        "flags": span.flags & 0xff,
        "operationName": span.name,
        "references": references(span),
        "startTime": micros(span.start.as_nanos()),
        "duration": micros(span.duration().unwrap_or(0)),
        "tags": span_tags(span),
        "logs": logs.collect::<Vec<_>>(),
        "processID": process,
        "warnings": null,
    })
}

fn micros(nanos: i64) -> i64 {
    nanos / 1_000
}

fn references(span: &Span) -> Vec<Json> {
    let parent = span.parent.map(|parent| json!({"refType": "CHILD_OF", "traceID": span.trace_id, "spanID": parent}));
    let links = span
        .links
        .iter()
        .map(|link| json!({"refType": "FOLLOWS_FROM", "traceID": link.trace_id, "spanID": link.span_id}));
    parent.into_iter().chain(links).collect()
}

/// The attributes, and what OTLP keeps beside them.
fn span_tags(span: &Span) -> Vec<Json> {
    let text = |key: &str, text: &str| json!({"key": key, "type": "string", "value": text});
    let mut all = Vec::new();
    if !span.scope.is_empty() {
        all.push(text("otel.scope.name", &span.scope));
    }
    all.extend(tags(&span.attributes));
    if let Some(kind) = kind(span.kind) {
        all.push(text("span.kind", kind));
    }
    match span.status.code {
        StatusCode::Unset => {}
        StatusCode::Ok => all.push(text("otel.status_code", "OK")),
        StatusCode::Error => {
            all.push(text("otel.status_code", "ERROR"));
            all.push(json!({"key": "error", "type": "bool", "value": true}));
        }
    }
    if !span.status.message.is_empty() {
        all.push(text("otel.status_description", &span.status.message));
    }
    if !span.trace_state.is_empty() {
        all.push(text("w3c.tracestate", &span.trace_state));
    }
    all
}

const fn kind(kind: SpanKind) -> Option<&'static str> {
    match kind {
        SpanKind::Unspecified => None,
        SpanKind::Internal => Some("internal"),
        SpanKind::Server => Some("server"),
        SpanKind::Client => Some("client"),
        SpanKind::Producer => Some("producer"),
        SpanKind::Consumer => Some("consumer"),
    }
}

fn tags(attributes: &Attributes) -> Vec<Json> {
    attributes.iter().map(|(key, value)| tag(key, value)).collect()
}

fn tag(key: &str, value: &Value) -> Json {
    let (kind, value) = match value {
        Value::Str(text) => ("string", json!(text)),
        Value::Bool(yes) => ("bool", json!(yes)),
        Value::Int(number) => ("int64", json!(number)),
        Value::Double(number) => ("float64", json!(number)),
        other => ("string", json!(plain(other).to_string())),
    };
    json!({"key": key, "type": kind, "value": value})
}

/// What is nested, as JSON in a text.
fn plain(value: &Value) -> Json {
    match value {
        Value::Str(text) => json!(text),
        Value::Bool(yes) => json!(yes),
        Value::Int(number) => json!(number),
        Value::Double(number) => json!(number),
        Value::Bytes(bytes) => json!(base64::Engine::encode(&base64::prelude::BASE64_STANDARD, bytes)),
        Value::Array(values) => values.iter().map(plain).collect(),
        Value::Map(map) => map.iter().map(|(key, value)| (key.to_string(), plain(value))).collect::<Map<_, _>>().into(),
    }
}
