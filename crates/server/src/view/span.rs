//! A span as the API shows it.

use clew_model::{Attributes, Evidence, Span, SpanId, SpanKind, Status, StatusCode, Time, TraceId};
use serde::Serialize;

use super::json::Plain;

/// The attribute in which a re-parented span keeps its own trace id.
const ORIGINAL: &str = "clew.original_trace_id";

/// One span.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SpanView<'a> {
    pub(crate) trace_id: TraceId,
    pub(crate) span_id: SpanId,
    pub(crate) parent_id: Option<SpanId>,
    pub(crate) name: &'a str,
    pub(crate) kind: SpanKind,
    pub(crate) start: Time,
    pub(crate) end: Option<Time>,
    pub(crate) status: StatusView<'a>,
    pub(crate) service: &'a str,
    pub(crate) scope: &'a str,
    pub(crate) attributes: Plain<'a>,
    pub(crate) resource: Plain<'a>,
    pub(crate) events: Vec<EventView<'a>>,
    pub(crate) links: Vec<LinkView<'a>>,
    pub(crate) native: bool,
    pub(crate) evidence: Option<Evidence>,
    pub(crate) critical: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) original_trace_id: Option<&'a str>,
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

/// Something that happened in a span.
#[derive(Debug, Serialize)]
pub(crate) struct EventView<'a> {
    time: Time,
    name: &'a str,
    attributes: Plain<'a>,
}

/// A link of a span.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkView<'a> {
    trace_id: TraceId,
    span_id: SpanId,
    attributes: Plain<'a>,
}

/// A span with nothing said about its place in a journey.
pub(crate) fn span_view(span: &Span) -> SpanView<'_> {
    let events = span.events.iter().map(|event| EventView {
        time: event.time,
        name: &event.name,
        attributes: Plain(&event.attributes),
    });
    let links = span.links.iter().map(|link| LinkView {
        trace_id: link.trace_id,
        span_id: link.span_id,
        attributes: Plain(&link.attributes),
    });
    SpanView {
        trace_id: span.trace_id,
        span_id: span.span_id,
        parent_id: span.parent,
        name: &span.name,
        kind: span.kind,
        start: span.start,
        end: span.end,
        status: StatusView::of(&span.status),
        service: service(&span.resource),
        scope: &span.scope,
        attributes: Plain(&span.attributes),
        resource: Plain(&span.resource),
        events: events.collect(),
        links: links.collect(),
        native: !is_woven(span),
        evidence: None,
        critical: false,
        original_trace_id: span.attributes.get_str(ORIGINAL),
    }
}

/// Whether clew made the span.
pub(crate) fn is_woven(span: &Span) -> bool {
    &*span.scope == "clew" && span.attributes.get("clew.kind").is_some()
}

fn service(resource: &Attributes) -> &str {
    resource.get_str("service.name").unwrap_or_default()
}
