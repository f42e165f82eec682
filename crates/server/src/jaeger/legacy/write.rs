//! Spans in the JSON of Jaeger's page.

use clew_model::{Attributes, Span, SpanEvent, SpanId, SpanKind, StatusCode, TraceId, Value};
use serde::Serialize;
use serde_json::{Map, Result, Value as Json, json};

use crate::trace::service_of;
use crate::writer::Writer;

impl Writer<'_> {
    /// Writes a span, made by the process of this number.
    pub(super) fn span(&mut self, span: &Span, process: usize) -> Result<()> {
        self.put("{");
        self.ids(span.trace_id, span.span_id);
        self.put(",\"flags\":");
        self.value(&(span.flags & 0xff))?;
        self.put(",\"operationName\":");
        self.text(&span.name)?;
        self.put(",\"references\":[");
        self.references(span);
        self.put("],\"startTime\":");
        self.value(&micros(span.start.as_nanos()))?;
        self.put(",\"duration\":");
        self.value(&micros(span.duration().unwrap_or(0)))?;
        self.put(",\"tags\":[");
        self.span_tags(span)?;
        self.put("],\"logs\":[");
        for event in &span.events {
            self.log(event)?;
        }
        self.put("],\"processID\":\"p");
        self.value(&process)?;
        self.put("\",\"warnings\":null}");
        Ok(())
    }

    /// Writes who made a span.
    pub(super) fn process(&mut self, span: &Span) -> Result<()> {
        self.put("{\"serviceName\":");
        self.text(service_of(span))?;
        self.put(",\"tags\":[");
        for (key, value) in span.resource.iter().filter(|(key, _)| *key != "service.name") {
            self.tag(key, value)?;
        }
        self.put("]}");
        Ok(())
    }

    fn ids(&mut self, trace: TraceId, span: SpanId) {
        self.put("\"traceID\":");
        self.trace_id(trace);
        self.put(",\"spanID\":");
        self.span_id(span);
    }

    fn references(&mut self, span: &Span) {
        if let Some(parent) = span.parent {
            self.reference("CHILD_OF", span.trace_id, parent);
        }
        for link in &span.links {
            self.reference("FOLLOWS_FROM", link.trace_id, link.span_id);
        }
    }

    fn reference(&mut self, kind: &str, trace: TraceId, span: SpanId) {
        self.next();
        self.put("{\"refType\":\"");
        self.put(kind);
        self.put("\",");
        self.ids(trace, span);
        self.put("}");
    }

    fn log(&mut self, event: &SpanEvent) -> Result<()> {
        self.next();
        self.put("{\"timestamp\":");
        self.value(&micros(event.time.as_nanos()))?;
        self.put(",\"fields\":[");
        self.text_tag("event", &event.name)?;
        self.tags(&event.attributes)?;
        self.put("]}");
        Ok(())
    }

    /// The attributes, and what OTLP keeps beside them.
    fn span_tags(&mut self, span: &Span) -> Result<()> {
        if !span.scope.is_empty() {
            self.text_tag("otel.scope.name", &span.scope)?;
        }
        self.tags(&span.attributes)?;
        if let Some(kind) = kind(span.kind) {
            self.text_tag("span.kind", kind)?;
        }
        match span.status.code {
            StatusCode::Unset => {}
            StatusCode::Ok => self.text_tag("otel.status_code", "OK")?,
            StatusCode::Error => {
                self.text_tag("otel.status_code", "ERROR")?;
                self.tag("error", &Value::Bool(true))?;
            }
        }
        if !span.status.message.is_empty() {
            self.text_tag("otel.status_description", &span.status.message)?;
        }
        if !span.trace_state.is_empty() {
            self.text_tag("w3c.tracestate", &span.trace_state)?;
        }
        Ok(())
    }

    fn tags(&mut self, attributes: &Attributes) -> Result<()> {
        attributes.iter().try_for_each(|(key, value)| self.tag(key, value))
    }

    fn tag(&mut self, key: &str, value: &Value) -> Result<()> {
        match value {
            Value::Str(text) => self.text_tag(key, text),
            Value::Bool(yes) => self.typed(key, "bool", yes),
            Value::Int(number) => self.typed(key, "int64", number),
            Value::Double(number) => self.typed(key, "float64", number),
            // What is nested is JSON in a text.
            other => self.text_tag(key, &nested(other).to_string()),
        }
    }

    fn text_tag(&mut self, key: &str, text: &str) -> Result<()> {
        self.key(key)?;
        self.put(",\"type\":\"string\",\"value\":");
        self.text(text)?;
        self.put("}");
        Ok(())
    }

    fn typed(&mut self, key: &str, kind: &str, value: &impl Serialize) -> Result<()> {
        self.key(key)?;
        self.put(",\"type\":\"");
        self.put(kind);
        self.put("\",\"value\":");
        self.value(value)?;
        self.put("}");
        Ok(())
    }

    fn key(&mut self, key: &str) -> Result<()> {
        self.next();
        self.put("{\"key\":");
        self.text(key)
    }
}

fn micros(nanos: i64) -> i64 {
    nanos / 1_000
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
    use std::sync::Arc;

    use clew_model::{SpanLink, Status, Time};

    use super::*;

    fn attributes<const N: usize>(pairs: [(&str, Value); N]) -> Attributes {
        pairs.into_iter().map(|(key, value)| (key.into(), value)).collect()
    }

    fn written(write: impl FnOnce(&mut Writer<'_>) -> Result<()>) -> Json {
        let mut text = Writer::default();
        write(&mut text).unwrap();
        serde_json::from_slice(&text.into_bytes()).expect("JSON")
    }

    #[test]
    fn a_span_says_all_that_it_has() {
        let (trace, id) = (TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]));
        let nested = Value::Map(attributes([("a", Value::Array(vec![Value::Int(1), Value::from("\"x\"")]))]));
        let span = Span {
            parent: Some(SpanId::from_bytes([3; 8])),
            trace_state: "k=v".into(),
            flags: 0x101,
            kind: SpanKind::Server,
            end: Some(Time::from_nanos(9_000)),
            status: Status { code: StatusCode::Error, message: "no \u{1}\n".into() },
            attributes: attributes([
                ("quoted \"key\"", Value::from("back\\slash é")),
                ("yes", Value::Bool(true)),
                ("int", Value::Int(-7)),
                ("double", Value::Double(1.0)),
                ("nan", Value::Double(f64::NAN)),
                ("nested", nested),
            ]),
            events: vec![SpanEvent {
                time: Time::from_nanos(5_000),
                name: "said".into(),
                attributes: attributes([("n", Value::Int(1))]),
            }],
            links: vec![SpanLink {
                trace_id: TraceId::from_bytes([4; 16]),
                span_id: SpanId::from_bytes([5; 8]),
                trace_state: "".into(),
                attributes: Attributes::default(),
            }],
            scope: Arc::from("lib"),
            ..Span::new(trace, id, "GET \"/\"", Time::from_nanos(2_000))
        };
        let tag = |key: &str, kind: &str, value: Json| json!({"key": key, "type": kind, "value": value});
        let expected = json!({
            "traceID": "01".repeat(16), "spanID": "02".repeat(8), "flags": 1, "operationName": "GET \"/\"",
            "references": [
                {"refType": "CHILD_OF", "traceID": "01".repeat(16), "spanID": "03".repeat(8)},
                {"refType": "FOLLOWS_FROM", "traceID": "04".repeat(16), "spanID": "05".repeat(8)},
            ],
            "startTime": 2, "duration": 7,
            "tags": [
                tag("otel.scope.name", "string", json!("lib")),
                tag("quoted \"key\"", "string", json!("back\\slash é")),
                tag("yes", "bool", json!(true)),
                tag("int", "int64", json!(-7)),
                tag("double", "float64", json!(1.0)),
                tag("nan", "float64", Json::Null),
                tag("nested", "string", json!("{\"a\":[1,\"\\\"x\\\"\"]}")),
                tag("span.kind", "string", json!("server")),
                tag("otel.status_code", "string", json!("ERROR")),
                tag("error", "bool", json!(true)),
                tag("otel.status_description", "string", json!("no \u{1}\n")),
                tag("w3c.tracestate", "string", json!("k=v")),
            ],
            "logs": [{"timestamp": 5, "fields": [tag("event", "string", json!("said")), tag("n", "int64", json!(1))]}],
            "processID": "p12", "warnings": null,
        });
        assert_eq!(written(|writer| writer.span(&span, 12)), expected);
    }

    #[test]
    fn a_span_with_nothing_is_whole() {
        let span = Span::new(TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]), "", Time::from_nanos(0));
        let span = Span { kind: SpanKind::Unspecified, ..span };
        let json = written(|writer| writer.span(&span, 1));
        assert_eq!((&json["references"], &json["tags"], &json["logs"]), (&json!([]), &json!([]), &json!([])));
    }
}
