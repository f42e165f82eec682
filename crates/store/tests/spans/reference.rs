//! The model's spans to and from the types that `prost` generated: a second opinion on the decoder.

use std::sync::Arc;

use clew_model::{Attributes, Span, SpanEvent, SpanId, SpanKind, SpanLink, Status, StatusCode, Time, TraceId, Value};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1 as wire;

/// One group for each span.
pub(crate) fn request(spans: &[Span]) -> ExportTraceServiceRequest {
    let groups = spans.iter().map(|span| wire::ResourceSpans {
        resource: Some(Resource { attributes: pairs(&span.resource), ..Resource::default() }),
        scope_spans: vec![wire::ScopeSpans {
            scope: Some(InstrumentationScope { name: span.scope.to_string(), ..InstrumentationScope::default() }),
            spans: vec![to_wire(span)],
            schema_url: String::new(),
        }],
        schema_url: "a field that is of no use here".into(),
    });
    ExportTraceServiceRequest { resource_spans: groups.collect() }
}

fn to_wire(span: &Span) -> wire::Span {
    let event = |event: &SpanEvent| wire::span::Event {
        time_unix_nano: nanos(event.time),
        name: event.name.to_string(),
        attributes: pairs(&event.attributes),
        dropped_attributes_count: 0,
    };
    let link = |link: &SpanLink| wire::span::Link {
        trace_id: link.trace_id.to_bytes().to_vec(),
        span_id: link.span_id.to_bytes().to_vec(),
        trace_state: link.trace_state.to_string(),
        attributes: pairs(&link.attributes),
        dropped_attributes_count: 0,
        flags: 3,
    };
    wire::Span {
        trace_id: span.trace_id.to_bytes().to_vec(),
        span_id: span.span_id.to_bytes().to_vec(),
        trace_state: span.trace_state.to_string(),
        parent_span_id: span.parent.map(|parent| parent.to_bytes().to_vec()).unwrap_or_default(),
        flags: span.flags,
        name: span.name.to_string(),
        kind: span.kind.to_otlp(),
        start_time_unix_nano: nanos(span.start),
        end_time_unix_nano: span.end.map(nanos).unwrap_or_default(),
        attributes: pairs(&span.attributes),
        events: span.events.iter().map(event).collect(),
        links: span.links.iter().map(link).collect(),
        status: Some(wire::Status { message: span.status.message.to_string(), code: span.status.code.to_otlp() }),
        ..wire::Span::default()
    }
}

fn nanos(time: Time) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn pairs(attributes: &Attributes) -> Vec<KeyValue> {
    let pair = |(key, value): &(compact_str::CompactString, Value)| KeyValue {
        key: key.to_string(),
        value: Some(any(value)),
        ..KeyValue::default()
    };
    attributes.iter().map(pair).collect()
}

fn any(value: &Value) -> AnyValue {
    let value = match value {
        Value::Str(text) => Any::StringValue(text.to_string()),
        Value::Bool(yes) => Any::BoolValue(*yes),
        Value::Int(number) => Any::IntValue(*number),
        Value::Double(number) => Any::DoubleValue(*number),
        Value::Bytes(bytes) => Any::BytesValue(bytes.clone()),
        Value::Array(items) => Any::ArrayValue(ArrayValue { values: items.iter().map(any).collect() }),
        Value::Map(map) => Any::KvlistValue(KeyValueList { values: pairs(map) }),
    };
    AnyValue { value: Some(value) }
}

/// What the decoder should give for a request that `prost` decoded; a span that is to be refused is left out.
pub(crate) fn spans(request: &ExportTraceServiceRequest) -> Vec<Span> {
    let mut spans = Vec::new();
    for group in &request.resource_spans {
        let resource = group.resource.as_ref().map(|resource| attributes(&resource.attributes));
        let resource = Arc::new(resource.unwrap_or_default());
        for part in &group.scope_spans {
            let scope: Arc<str> = part.scope.as_ref().map_or("", |scope| scope.name.as_str()).into();
            let read = part.spans.iter().filter_map(|span| from_wire(span, &resource, &scope));
            spans.extend(read);
        }
    }
    spans
}

fn from_wire(span: &wire::Span, resource: &Arc<Attributes>, scope: &Arc<str>) -> Option<Span> {
    let parent = match span.parent_span_id.as_slice() {
        [] => None,
        bytes => Some(SpanId::from_slice(bytes)?).filter(|id| id.is_valid()),
    };
    let mut attributes = attributes(&span.attributes);
    let lost_links = span.links.iter().filter(|link| link_from(link).is_none()).count();
    let dropped = [
        ("otel.dropped_attributes_count", i64::from(span.dropped_attributes_count)),
        ("otel.dropped_events_count", i64::from(span.dropped_events_count)),
        ("otel.dropped_links_count", i64::from(span.dropped_links_count) + i64::try_from(lost_links).ok()?),
    ];
    for (key, count) in dropped.into_iter().filter(|(_, count)| *count > 0) {
        attributes.push(key, count);
    }
    let status = span.status.as_ref();
    let event = |event: &wire::span::Event| SpanEvent {
        time: Time::from_unsigned_nanos(event.time_unix_nano),
        name: event.name.as_str().into(),
        attributes: self::attributes(&event.attributes),
    };
    Some(Span {
        trace_id: TraceId::from_slice(&span.trace_id).filter(|id| id.is_valid())?,
        span_id: SpanId::from_slice(&span.span_id).filter(|id| id.is_valid())?,
        parent,
        trace_state: span.trace_state.as_str().into(),
        flags: span.flags,
        name: span.name.as_str().into(),
        kind: SpanKind::from_otlp(span.kind),
        start: Some(Time::from_unsigned_nanos(span.start_time_unix_nano)).filter(|start| start.as_nanos() != 0)?,
        end: Some(Time::from_unsigned_nanos(span.end_time_unix_nano)).filter(|end| end.as_nanos() != 0),
        status: Status {
            code: StatusCode::from_otlp(status.map_or(0, |status| status.code)),
            message: status.map_or("", |status| status.message.as_str()).into(),
        },
        attributes,
        events: span.events.iter().map(event).collect(),
        links: span.links.iter().filter_map(link_from).collect(),
        resource: Arc::clone(resource),
        scope: Arc::clone(scope),
    })
}

fn link_from(link: &wire::span::Link) -> Option<SpanLink> {
    Some(SpanLink {
        trace_id: TraceId::from_slice(&link.trace_id)?,
        span_id: SpanId::from_slice(&link.span_id)?,
        trace_state: link.trace_state.as_str().into(),
        attributes: attributes(&link.attributes),
    })
}

fn attributes(pairs: &[KeyValue]) -> Attributes {
    pairs.iter().map(|pair| (pair.key.as_str().into(), value(pair.value.as_ref()))).collect()
}

fn value(any: Option<&AnyValue>) -> Value {
    match any.and_then(|any| any.value.as_ref()) {
        Some(Any::StringValue(text)) => Value::from(text.as_str()),
        Some(Any::BoolValue(yes)) => Value::Bool(*yes),
        Some(Any::IntValue(number)) => Value::Int(*number),
        Some(Any::DoubleValue(number)) => Value::Double(*number),
        Some(Any::BytesValue(bytes)) => Value::Bytes(bytes.clone()),
        Some(Any::ArrayValue(array)) => Value::Array(array.values.iter().map(|item| value(Some(item))).collect()),
        Some(Any::KvlistValue(list)) => Value::Map(attributes(&list.values)),
        Some(Any::StringValueStrindex(_)) | None => Value::from(""),
    }
}
