//! A span as the API shows it.

use clew_model::{Attributes, Evidence, Span, SpanEvent, SpanLink, Status, StatusCode};
use serde::Serialize;
use serde_json::Result;

use crate::writer::Writer;

/// The attribute in which a re-parented span keeps its own trace id.
const ORIGINAL: &str = "clew.original_trace_id";

/// One span, with what is known of its place in a journey.
#[derive(Debug)]
pub(crate) struct SpanView<'a> {
    span: &'a Span,
    pub(super) native: bool,
    pub(super) evidence: Option<Evidence>,
    pub(super) critical: bool,
    pub(super) original_trace_id: Option<&'a str>,
}

/// How a span ended; the message is always there.
#[derive(Debug, Serialize)]
pub(crate) struct StatusView<'a> {
    code: StatusCode,
    message: &'a str,
}

impl<'a> StatusView<'a> {
    pub(crate) fn of(status: &'a Status) -> Self {
        Self { code: status.code, message: &status.message }
    }
}

impl<'a> SpanView<'a> {
    /// A span with nothing said about its place in a journey.
    pub(super) fn of(span: &'a Span) -> Self {
        Self {
            span,
            native: !is_woven(span),
            evidence: None,
            critical: false,
            original_trace_id: span.attributes.get_str(ORIGINAL),
        }
    }

    /// Writes the span as JSON.
    pub(super) fn write(&self, out: &mut Writer<'a>) -> Result<()> {
        let span = self.span;
        out.put("{\"traceId\":");
        out.trace_id(span.trace_id);
        out.put(",\"spanId\":");
        out.span_id(span.span_id);
        out.put(",\"parentId\":");
        match span.parent {
            Some(parent) => out.span_id(parent),
            None => out.put("null"),
        }
        out.put(",\"name\":");
        out.text(&span.name)?;
        out.put(",\"kind\":");
        out.value(&span.kind)?;
        out.put(",\"start\":");
        out.time(span.start);
        out.put(",\"end\":");
        match span.end {
            Some(end) => out.time(end),
            None => out.put("null"),
        }
        out.put(",\"status\":{\"code\":");
        out.value(&span.status.code)?;
        out.put(",\"message\":");
        out.text(&span.status.message)?;
        out.put("},\"service\":");
        out.text(service(&span.resource))?;
        out.put(",\"scope\":");
        out.text(&span.scope)?;
        out.put(",\"attributes\":");
        out.object(&span.attributes)?;
        out.put(",\"resource\":");
        out.shared(&span.resource, |out| out.object(&span.resource))?;
        out.put(",\"events\":[");
        span.events.iter().try_for_each(|happened| event(out, happened))?;
        out.put("],\"links\":[");
        span.links.iter().try_for_each(|other| link(out, other))?;
        out.put("],\"native\":");
        out.value(&self.native)?;
        out.put(",\"evidence\":");
        out.value(&self.evidence)?;
        out.put(",\"critical\":");
        out.value(&self.critical)?;
        if let Some(original) = self.original_trace_id {
            out.put(",\"originalTraceId\":");
            out.text(original)?;
        }
        out.put("}");
        Ok(())
    }
}

fn event(out: &mut Writer<'_>, event: &SpanEvent) -> Result<()> {
    out.next();
    out.put("{\"time\":");
    out.time(event.time);
    out.put(",\"name\":");
    out.text(&event.name)?;
    out.put(",\"attributes\":");
    out.object(&event.attributes)?;
    out.put("}");
    Ok(())
}

fn link(out: &mut Writer<'_>, link: &SpanLink) -> Result<()> {
    out.next();
    out.put("{\"traceId\":");
    out.trace_id(link.trace_id);
    out.put(",\"spanId\":");
    out.span_id(link.span_id);
    out.put(",\"attributes\":");
    out.object(&link.attributes)?;
    out.put("}");
    Ok(())
}

/// Whether clew made the span.
fn is_woven(span: &Span) -> bool {
    &*span.scope == "clew" && span.attributes.get("clew.kind").is_some()
}

fn service(resource: &Attributes) -> &str {
    resource.get_str("service.name").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use clew_model::{SpanId, SpanKind, Time, TraceId, Value};
    use serde_json::{Value as Json, json};

    use super::*;

    fn attributes(key: &str, value: impl Into<Value>) -> Attributes {
        std::iter::once((key.into(), value.into())).collect()
    }

    fn written(view: &SpanView<'_>) -> Json {
        let mut text = Writer::default();
        view.write(&mut text).unwrap();
        serde_json::from_slice(&text.into_bytes()).expect("JSON")
    }

    #[test]
    fn a_span_says_all_that_it_has() {
        let (trace, id) = (TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]));
        let event = |nanos, name: &str| SpanEvent {
            time: Time::from_nanos(nanos),
            name: name.into(),
            attributes: attributes("n", 1),
        };
        let span = Span {
            parent: Some(SpanId::from_bytes([3; 8])),
            kind: SpanKind::Server,
            end: Some(Time::from_nanos(9)),
            status: Status { code: StatusCode::Error, message: "no \u{1}\n".into() },
            attributes: attributes(ORIGINAL, "quoted \"id\""),
            events: vec![event(5, "said"), event(6, "\\")],
            links: vec![SpanLink {
                trace_id: TraceId::from_bytes([4; 16]),
                span_id: SpanId::from_bytes([5; 8]),
                trace_state: "".into(),
                attributes: Attributes::default(),
            }],
            resource: Arc::new(attributes("service.name", "étcd")),
            scope: Arc::from("lib"),
            ..Span::new(trace, id, "GET \"/\"", Time::from_nanos(2))
        };
        let view = SpanView { evidence: Some(Evidence::Timing), critical: true, ..SpanView::of(&span) };
        let expected = json!({
            "traceId": "01".repeat(16), "spanId": "02".repeat(8), "parentId": "03".repeat(8), "name": "GET \"/\"",
            "kind": "server", "start": "1970-01-01T00:00:00.000000002Z", "end": "1970-01-01T00:00:00.000000009Z",
            "status": {"code": "error", "message": "no \u{1}\n"}, "service": "étcd", "scope": "lib",
            "attributes": {ORIGINAL: "quoted \"id\""}, "resource": {"service.name": "étcd"},
            "events": [
                {"time": "1970-01-01T00:00:00.000000005Z", "name": "said", "attributes": {"n": 1}},
                {"time": "1970-01-01T00:00:00.000000006Z", "name": "\\", "attributes": {"n": 1}},
            ],
            "links": [{"traceId": "04".repeat(16), "spanId": "05".repeat(8), "attributes": {}}],
            "native": true, "evidence": "timing", "critical": true, "originalTraceId": "quoted \"id\"",
        });
        assert_eq!(written(&view), expected);
    }

    #[test]
    fn a_span_that_goes_on_has_no_end() {
        let span = Span::new(TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]), "", Time::from_nanos(0));
        let json = written(&SpanView::of(&span));
        assert_eq!((&json["end"], &json["parentId"], &json["evidence"]), (&Json::Null, &Json::Null, &Json::Null));
        assert_eq!(json.get("originalTraceId"), None);
    }
}
