//! Spans as OTLP's messages.

use std::sync::Arc;

use clew_model::{Attributes, Span, SpanEvent, SpanLink, Time, Value};
use opentelemetry_proto::tonic::common::v1::{
    AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList, any_value::Value as Any,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1 as otlp;
use serde_json::{Value as Json, json};

/// One message with all the spans, grouped by who made them.
pub(crate) fn traces_data(spans: &[Span]) -> otlp::TracesData {
    let mut groups: Vec<(&Span, Vec<otlp::Span>)> = Vec::new();
    for span in spans {
        match groups.iter_mut().rev().find(|(first, _)| same_maker(first, span)) {
            Some((_, group)) => group.push(encode(span)),
            None => groups.push((span, vec![encode(span)])),
        }
    }
    otlp::TracesData { resource_spans: groups.into_iter().map(|(first, spans)| group(first, spans)).collect() }
}

/// Comparing the places in memory first spares the comparison of attributes: a journey has thousands of spans.
fn same_maker(one: &Span, other: &Span) -> bool {
    let same_resource = Arc::ptr_eq(&one.resource, &other.resource) || one.resource == other.resource;
    same_resource && one.scope == other.scope
}

fn group(first: &Span, spans: Vec<otlp::Span>) -> otlp::ResourceSpans {
    otlp::ResourceSpans {
        resource: Some(Resource { attributes: pairs(&first.resource), ..Resource::default() }),
        scope_spans: vec![otlp::ScopeSpans {
            scope: Some(InstrumentationScope { name: first.scope.to_string(), ..InstrumentationScope::default() }),
            spans,
            schema_url: String::new(),
        }],
        schema_url: String::new(),
    }
}

fn encode(span: &Span) -> otlp::Span {
    otlp::Span {
        trace_id: span.trace_id.to_bytes().to_vec(),
        span_id: span.span_id.to_bytes().to_vec(),
        trace_state: span.trace_state.to_string(),
        parent_span_id: span.parent.map(|parent| parent.to_bytes().to_vec()).unwrap_or_default(),
        flags: span.flags,
        name: span.name.to_string(),
        kind: span.kind.to_otlp(),
        start_time_unix_nano: nanos(span.start),
        // A span that goes on has no end yet; viewers draw one from the epoch otherwise.
        end_time_unix_nano: nanos(span.end.unwrap_or(span.start)),
        attributes: pairs(&span.attributes),
        dropped_attributes_count: 0,
        events: span.events.iter().map(event).collect(),
        dropped_events_count: 0,
        links: span.links.iter().map(link).collect(),
        dropped_links_count: 0,
        status: Some(otlp::Status { message: span.status.message.to_string(), code: span.status.code.to_otlp() }),
    }
}

fn nanos(time: Time) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(0)
}

fn event(event: &SpanEvent) -> otlp::span::Event {
    otlp::span::Event {
        time_unix_nano: nanos(event.time),
        name: event.name.to_string(),
        attributes: pairs(&event.attributes),
        dropped_attributes_count: 0,
    }
}

fn link(link: &SpanLink) -> otlp::span::Link {
    otlp::span::Link {
        trace_id: link.trace_id.to_bytes().to_vec(),
        span_id: link.span_id.to_bytes().to_vec(),
        trace_state: link.trace_state.to_string(),
        attributes: pairs(&link.attributes),
        ..otlp::span::Link::default()
    }
}

fn pairs(attributes: &Attributes) -> Vec<KeyValue> {
    let pair = |key: &str, value| KeyValue { key: key.to_owned(), value: Some(any(value)), ..KeyValue::default() };
    attributes.iter().map(|(key, value)| pair(key, value)).collect()
}

fn any(value: &Value) -> AnyValue {
    let value = match value {
        Value::Str(text) => Any::StringValue(text.to_string()),
        Value::Bool(yes) => Any::BoolValue(*yes),
        Value::Int(number) => Any::IntValue(*number),
        Value::Double(number) => Any::DoubleValue(*number),
        Value::Bytes(bytes) => Any::BytesValue(bytes.clone()),
        Value::Array(values) => Any::ArrayValue(ArrayValue { values: values.iter().map(any).collect() }),
        Value::Map(map) => Any::KvlistValue(KeyValueList { values: pairs(map) }),
    };
    AnyValue { value: Some(value) }
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
