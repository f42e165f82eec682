//! From records to OTLP messages.

use super::SCOPE;
use crate::attribute::{Attribute, Value};
use crate::export::Batch;
use crate::trace::{Event, Kind, Link, SpanContext, SpanRecord, Status};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, InstrumentationScope, KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{self as proto, ResourceSpans, ScopeSpans, span, status};
use std::time::{SystemTime, UNIX_EPOCH};

/// OTLP says in these bits whether the parent is of another process, and that it is known.
const HAS_IS_REMOTE: u32 = 0x100;
const IS_REMOTE: u32 = 0x200;

/// The OTLP request for a batch.
pub(crate) fn request(batch: &Batch) -> ExportTraceServiceRequest {
    let scope = InstrumentationScope {
        name: SCOPE.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..InstrumentationScope::default()
    };
    let spans = batch.spans.iter().map(encode_span).collect();
    ExportTraceServiceRequest {
        resource_spans: vec![ResourceSpans {
            resource: Some(Resource { attributes: key_values(&batch.resource), ..Resource::default() }),
            scope_spans: vec![ScopeSpans { scope: Some(scope), spans, schema_url: String::new() }],
            schema_url: String::new(),
        }],
    }
}

fn encode_span(record: &SpanRecord) -> proto::Span {
    proto::Span {
        trace_id: record.context.trace_id.to_bytes().to_vec(),
        span_id: record.context.span_id.to_bytes().to_vec(),
        trace_state: record.context.trace_state(),
        parent_span_id: record.parent.map(|parent| parent.to_bytes().to_vec()).unwrap_or_default(),
        flags: flags(&record.context, record.parent_is_remote),
        name: record.name.to_string(),
        kind: kind(record.kind) as i32,
        start_time_unix_nano: nanos(record.start),
        end_time_unix_nano: nanos(record.end),
        attributes: key_values(&record.attributes),
        dropped_attributes_count: record.dropped_attributes,
        events: record.events.iter().map(event).collect(),
        dropped_events_count: record.dropped_events,
        links: record.links.iter().map(link).collect(),
        dropped_links_count: record.dropped_links,
        status: status(&record.status),
    }
}

fn flags(context: &SpanContext, remote: bool) -> u32 {
    u32::from(context.flags) | HAS_IS_REMOTE | if remote { IS_REMOTE } else { 0 }
}

fn kind(kind: Kind) -> span::SpanKind {
    match kind {
        Kind::Internal => span::SpanKind::Internal,
        Kind::Server => span::SpanKind::Server,
        Kind::Client => span::SpanKind::Client,
    }
}

fn event(event: &Event) -> span::Event {
    span::Event {
        time_unix_nano: nanos(event.time),
        name: event.name.to_string(),
        attributes: key_values(&event.attributes),
        dropped_attributes_count: 0,
    }
}

fn link(link: &Link) -> span::Link {
    span::Link {
        trace_id: link.context.trace_id.to_bytes().to_vec(),
        span_id: link.context.span_id.to_bytes().to_vec(),
        trace_state: link.context.trace_state(),
        attributes: key_values(&link.attributes),
        dropped_attributes_count: 0,
        flags: flags(&link.context, link.context.remote),
    }
}

fn status(status: &Status) -> Option<proto::Status> {
    let (code, message) = match status {
        Status::Unset => return None,
        Status::Ok => (status::StatusCode::Ok, String::new()),
        Status::Error(message) => (status::StatusCode::Error, message.to_string()),
    };
    Some(proto::Status { code: code as i32, message })
}

/// Attributes as OTLP has them.
pub(crate) fn key_values(attributes: &[Attribute]) -> Vec<KeyValue> {
    let one = |attribute: &Attribute| KeyValue {
        key: attribute.key.to_string(),
        value: Some(any_value(&attribute.value)),
        ..KeyValue::default()
    };
    attributes.iter().map(one).collect()
}

fn any_value(value: &Value) -> AnyValue {
    let text = |text: &str| any_value::Value::StringValue(text.to_owned());
    let value = match value {
        Value::Bool(value) => any_value::Value::BoolValue(*value),
        Value::Int(value) => any_value::Value::IntValue(*value),
        Value::Float(value) => any_value::Value::DoubleValue(*value),
        Value::Text(value) => text(value),
        Value::Texts(values) => {
            let values = values.iter().map(|value| AnyValue { value: Some(text(value)) }).collect();
            any_value::Value::ArrayValue(ArrayValue { values })
        }
    };
    AnyValue { value: Some(value) }
}

pub(super) fn nanos(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
