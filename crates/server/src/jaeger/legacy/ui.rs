//! A trace in the JSON of Jaeger's page, written straight from the spans: as a tree of values a large one takes longer
//! to build than to find. What is large is written by several tasks.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use clew_model::{Attributes, Span, SpanEvent, SpanId, SpanKind, StatusCode, TraceId, Value};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::answer::{Refused, parted, unwritten};
use crate::trace::service_of;

/// A trace of one id.
#[derive(Debug, Serialize)]
struct Trace {
    #[serde(rename = "traceID")]
    id: Option<TraceId>,
    spans: [(); 0],
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

/// Spans that one task writes, and about how many bytes each of them takes.
const TOGETHER: usize = 512;
const SPAN: usize = 1024;

/// The trace that these spans are, as JSON in pieces.
pub(super) async fn trace(mut spans: Vec<Span>) -> Result<Vec<Bytes>, Refused> {
    let mut known = Processes::default();
    let mut processes: Vec<usize> = spans.iter().map(|span| known.number(span)).collect();
    let around =
        Trace { id: spans.first().map(|span| span.trace_id), spans: [], processes: known.json(), warnings: () };
    let [before, after] = parted(&around, "\"spans\":[").map_err(unwritten)?;
    let mut writing = Vec::new();
    while spans.len() > TOGETHER {
        let rest = (spans.split_off(TOGETHER), processes.split_off(TOGETHER));
        let (spans, processes) = (std::mem::replace(&mut spans, rest.0), std::mem::replace(&mut processes, rest.1));
        writing.push(tokio::task::spawn_blocking(move || written(&spans, &processes)));
    }
    let last = written(&spans, &processes).map_err(unwritten)?;
    let mut pieces = vec![before];
    for written in writing {
        pieces.push(written.await.map_err(unwritten)?.map_err(unwritten)?.into());
        pieces.push(Bytes::from_static(b","));
    }
    pieces.extend([last.into(), after]);
    Ok(pieces)
}

/// Spans with the numbers of their processes, with commas between them.
fn written(spans: &[Span], processes: &[usize]) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(spans.len() * SPAN);
    for (place, (span, process)) in spans.iter().zip(processes).enumerate() {
        if place > 0 {
            out.push(b',');
        }
        serde_json::to_writer(&mut out, &view(span, format!("p{process}")))?;
    }
    Ok(out)
}

/// Who made the spans.
#[derive(Default)]
struct Processes {
    known: Vec<(Arc<Attributes>, Json)>,
    /// Where each list of attributes lies that came, and the number of its process: the same may come several times.
    seen: HashMap<usize, usize>,
}

impl Processes {
    /// The number of a span's process, from one on.
    fn number(&mut self, span: &Span) -> usize {
        let lies = Arc::as_ptr(&span.resource).addr();
        if let Some(number) = self.seen.get(&lies) {
            return *number;
        }
        let place = self.known.iter().position(|(known, _)| *known == span.resource);
        let number = 1 + place.unwrap_or_else(|| {
            self.known.push((Arc::clone(&span.resource), process(span)));
            self.known.len() - 1
        });
        self.seen.insert(lies, number);
        number
    }

    fn json(self) -> Map<String, Json> {
        self.known.into_iter().enumerate().map(|(place, (_, json))| (format!("p{}", place + 1), json)).collect()
    }
}

fn process(span: &Span) -> Json {
    let others = span.resource.iter().filter(|(key, _)| key != "service.name");
    let tags: Vec<Tag<'_>> = others.map(|(key, value)| tag(key, value)).collect();
    json!({"serviceName": service_of(span), "tags": tags})
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
