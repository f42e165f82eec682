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

#[cfg(test)]
mod tests {
    use clew_model::Time;

    use super::*;

    fn spans(count: u8, of: &Arc<Attributes>) -> impl Iterator<Item = Span> {
        let id = TraceId::from_bytes([1; 16]);
        let span = move |number| Span::new(id, SpanId::from_bytes([number; 8]), "work", Time::from_nanos(1_000));
        let of = Arc::clone(of);
        (1..=count).map(move |number| Span { resource: Arc::clone(&of), ..span(number) })
    }

    #[tokio::test]
    async fn a_trace_that_several_tasks_write_has_every_span_in_its_order_and_one_process_for_equal_resources() {
        let resource = |name: &str| Arc::new(Attributes::from_iter([("service.name".into(), Value::from(name))]));
        let mut all: Vec<Span> = Vec::new();
        for _ in 0..4 {
            // As batches of a store: equal attributes that lie in different places.
            all.extend(spans(200, &resource("a")).chain(spans(100, &resource("b"))));
        }
        assert!(all.len() > 2 * TOGETHER, "more than two tasks");
        let expected: Vec<(String, &str)> = all
            .iter()
            .map(|span| (span.span_id.to_string(), if service_of(span) == "a" { "p1" } else { "p2" }))
            .collect();
        let text = trace(all.clone()).await.unwrap().concat();
        let json: Json = serde_json::from_slice(&text).unwrap();
        let text_of = |value: &Json| value.as_str().unwrap().to_owned();
        let written = json["spans"].as_array().unwrap().iter();
        let written: Vec<_> = written.map(|span| (text_of(&span["spanID"]), text_of(&span["processID"]))).collect();
        assert!(
            written
                .iter()
                .map(|(id, process)| (id, process.as_str()))
                .eq(expected.iter().map(|(id, process)| (id, *process)))
        );
        assert_eq!(json["processes"].as_object().unwrap().len(), 2);
        assert_eq!((&json["processes"]["p2"]["serviceName"], &json["warnings"]), (&json!("b"), &Json::Null));
    }
}
