//! A trace in the JSON of Jaeger's page, written straight from the spans: as a tree of values a large one takes longer
//! to build than to find.

use std::sync::Arc;

use clew_model::{Attributes, Span, SpanEvent, SpanId, SpanKind, StatusCode, TraceId, Value};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::trace::service_of;

/// A trace of one id.
#[derive(Debug, Serialize)]
pub(super) struct Trace<'a> {
    #[serde(rename = "traceID")]
    id: Option<TraceId>,
    spans: Vec<SpanView<'a>>,
    processes: Map<String, Json>,
    warnings: (),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SpanView<'a> {
    #[serde(rename = "traceID")]
    trace_id: TraceId,
    #[serde(rename = "spanID")]
    span_id: SpanId,
    flags: u32,
    operation_name: &'a str,
    references: Vec<Reference>,
    start_time: i64,
    duration: i64,
    tags: Vec<Tag<'a>>,
    logs: Vec<Log<'a>>,
    #[serde(rename = "processID")]
    process_id: String,
    warnings: (),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    ref_type: &'static str,
    #[serde(rename = "traceID")]
    trace_id: TraceId,
    #[serde(rename = "spanID")]
    span_id: SpanId,
}

#[derive(Debug, Serialize)]
struct Log<'a> {
    timestamp: i64,
    fields: Vec<Tag<'a>>,
}

#[derive(Debug, Serialize)]
struct Tag<'a> {
    key: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    value: Plain<'a>,
}

/// A value as a tag has it; what is nested is JSON in a text.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Plain<'a> {
    Text(&'a str),
    Bool(bool),
    Int(i64),
    Double(f64),
    Nested(String),
}

/// The trace that these spans are.
pub(super) fn trace(spans: &[Span]) -> Trace<'_> {
    let mut processes = Processes::default();
    Trace {
        id: spans.first().map(|span| span.trace_id),
        spans: spans.iter().map(|span| view(span, processes.id(span))).collect(),
        processes: processes.json(),
        warnings: (),
    }
}

/// Who made the spans, each under a short name.
#[derive(Default)]
struct Processes<'a>(Vec<&'a Span>);

impl<'a> Processes<'a> {
    fn id(&mut self, span: &'a Span) -> String {
        let known = self.0.iter().position(|first| Arc::ptr_eq(&first.resource, &span.resource));
        let known = known.or_else(|| self.0.iter().position(|first| first.resource == span.resource));
        let place = known.unwrap_or_else(|| {
            self.0.push(span);
            self.0.len() - 1
        });
        format!("p{}", place + 1)
    }

    fn json(&self) -> Map<String, Json> {
        let process = |span: &Span| {
            let others = span.resource.iter().filter(|(key, _)| key != "service.name");
            let tags: Vec<Tag<'_>> = others.map(|(key, value)| tag(key, value)).collect();
            json!({"serviceName": service_of(span), "tags": tags})
        };
        self.0.iter().enumerate().map(|(place, span)| (format!("p{}", place + 1), process(span))).collect()
    }
}

fn view(span: &Span, process_id: String) -> SpanView<'_> {
    SpanView {
        trace_id: span.trace_id,
        span_id: span.span_id,
        flags: span.flags & 0xff,
        operation_name: &span.name,
        references: references(span),
        start_time: micros(span.start.as_nanos()),
        duration: micros(span.duration().unwrap_or(0)),
        tags: span_tags(span),
        logs: span.events.iter().map(log).collect(),
        process_id,
        warnings: (),
    }
}

fn log(event: &SpanEvent) -> Log<'_> {
    let fields = std::iter::once(text("event", &event.name)).chain(tags(&event.attributes)).collect();
    Log { timestamp: micros(event.time.as_nanos()), fields }
}

fn micros(nanos: i64) -> i64 {
    nanos / 1_000
}

fn references(span: &Span) -> Vec<Reference> {
    let parent = span.parent.map(|parent| Reference { ref_type: "CHILD_OF", trace_id: span.trace_id, span_id: parent });
    let links = span.links.iter().map(|link| Reference {
        ref_type: "FOLLOWS_FROM",
        trace_id: link.trace_id,
        span_id: link.span_id,
    });
    parent.into_iter().chain(links).collect()
}

/// The attributes, and what OTLP keeps beside them.
fn span_tags(span: &Span) -> Vec<Tag<'_>> {
    let mut all = Vec::with_capacity(span.attributes.len() + 4);
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
            all.push(Tag { key: "error", kind: "bool", value: Plain::Bool(true) });
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

fn tags(attributes: &Attributes) -> impl Iterator<Item = Tag<'_>> {
    attributes.iter().map(|(key, value)| tag(key, value))
}

const fn text<'a>(key: &'a str, text: &'a str) -> Tag<'a> {
    Tag { key, kind: "string", value: Plain::Text(text) }
}

fn tag<'a>(key: &'a str, value: &'a Value) -> Tag<'a> {
    let (kind, value) = match value {
        Value::Str(text) => ("string", Plain::Text(text)),
        Value::Bool(yes) => ("bool", Plain::Bool(*yes)),
        Value::Int(number) => ("int64", Plain::Int(*number)),
        Value::Double(number) => ("float64", Plain::Double(*number)),
        other => ("string", Plain::Nested(nested(other).to_string())),
    };
    Tag { key, kind, value }
}

fn nested(value: &Value) -> Json {
    match value {
        Value::Str(text) => json!(text),
        Value::Bool(yes) => json!(yes),
        Value::Int(number) => json!(number),
        Value::Double(number) => json!(number),
        Value::Bytes(bytes) => json!(base64::Engine::encode(&base64::prelude::BASE64_STANDARD, bytes)),
        Value::Array(values) => values.iter().map(nested).collect(),
        Value::Map(map) => {
            map.iter().map(|(key, value)| (key.to_string(), nested(value))).collect::<Map<_, _>>().into()
        }
    }
}
