//! Spans as an OTLP request in protobuf.

use std::sync::Arc;

use bytes::Bytes;
use clew_model::{Attributes, Span, SpanEvent, SpanLink, Time, Value};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1 as proto;
use prost::Message;

/// One `ExportTraceServiceRequest` with all the spans, encoded.
pub fn otlp_protobuf(spans: &[Span]) -> Bytes {
    Bytes::from(otlp_request(spans).encode_to_vec())
}

/// One `ExportTraceServiceRequest` with all the spans, grouped by who made them.
pub fn otlp_request(spans: &[Span]) -> ExportTraceServiceRequest {
    let mut groups: Vec<(&Span, Vec<proto::Span>)> = Vec::new();
    for span in spans {
        match groups.iter_mut().rev().find(|(first, _)| same_maker(first, span)) {
            Some((_, group)) => group.push(encode(span)),
            None => groups.push((span, vec![encode(span)])),
        }
    }
    let groups = groups.into_iter().map(|(first, spans)| resource_spans(first, spans));
    ExportTraceServiceRequest { resource_spans: groups.collect() }
}

/// Comparing the places in memory first spares the comparison of attributes: a journey has thousands of spans.
fn same_maker(one: &Span, other: &Span) -> bool {
    let same_resource = Arc::ptr_eq(&one.resource, &other.resource) || one.resource == other.resource;
    same_resource && one.scope == other.scope
}

fn resource_spans(first: &Span, spans: Vec<proto::Span>) -> proto::ResourceSpans {
    let scope = InstrumentationScope { name: first.scope.to_string(), ..Default::default() };
    let spans = proto::ScopeSpans { scope: Some(scope), spans, ..Default::default() };
    let resource = Resource { attributes: attributes(&first.resource), ..Default::default() };
    proto::ResourceSpans { resource: Some(resource), scope_spans: vec![spans], ..Default::default() }
}

fn encode(span: &Span) -> proto::Span {
    proto::Span {
        trace_id: span.trace_id.to_bytes().to_vec(),
        span_id: span.span_id.to_bytes().to_vec(),
        parent_span_id: span.parent.map_or_else(Vec::new, |parent| parent.to_bytes().to_vec()),
        trace_state: span.trace_state.to_string(),
        flags: span.flags,
        name: span.name.to_string(),
        kind: span.kind.to_otlp(),
        start_time_unix_nano: nanos(span.start),
        end_time_unix_nano: span.end.map_or(0, nanos),
        attributes: attributes(&span.attributes),
        events: span.events.iter().map(event).collect(),
        links: span.links.iter().map(link).collect(),
        status: Some(proto::Status { code: span.status.code.to_otlp(), message: span.status.message.to_string() }),
        ..Default::default()
    }
}

fn event(event: &SpanEvent) -> proto::span::Event {
    proto::span::Event {
        time_unix_nano: nanos(event.time),
        name: event.name.to_string(),
        attributes: attributes(&event.attributes),
        ..Default::default()
    }
}

fn link(link: &SpanLink) -> proto::span::Link {
    proto::span::Link {
        trace_id: link.trace_id.to_bytes().to_vec(),
        span_id: link.span_id.to_bytes().to_vec(),
        trace_state: link.trace_state.to_string(),
        attributes: attributes(&link.attributes),
        ..Default::default()
    }
}

fn attributes(attributes: &Attributes) -> Vec<KeyValue> {
    attributes.iter().map(|(key, value)| pair(key, value)).collect()
}

fn pair(key: &str, value: &Value) -> KeyValue {
    KeyValue { key: key.to_owned(), value: Some(any(value)), ..Default::default() }
}

fn any(value: &Value) -> AnyValue {
    let value = match value {
        Value::Str(text) => Any::StringValue(text.to_string()),
        Value::Bool(flag) => Any::BoolValue(*flag),
        Value::Int(number) => Any::IntValue(*number),
        Value::Double(number) => Any::DoubleValue(*number),
        Value::Bytes(bytes) => Any::BytesValue(bytes.clone()),
        Value::Array(items) => Any::ArrayValue(ArrayValue { values: items.iter().map(any).collect() }),
        Value::Map(map) => {
            Any::KvlistValue(KeyValueList { values: map.iter().map(|(key, value)| pair(key, value)).collect() })
        }
    };
    AnyValue { value: Some(value) }
}

fn nanos(time: Time) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or_default()
}
