//! From OTLP messages back to records: what the spool reads after a restart.

use crate::attribute::{Attribute, Value, attr};
use crate::export::Batch;
use crate::ids::{SpanId, TraceId};
use crate::trace::{Event, Kind, Link, SpanContext, SpanRecord, Status};
use http::HeaderValue;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::{self as proto, span, status};
use prost::Message as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const IS_REMOTE: u32 = 0x200;

/// Reads a request that this crate wrote; none when it is not whole.
pub(crate) fn read_request(data: &[u8]) -> Option<Batch> {
    let request = ExportTraceServiceRequest::decode(data).ok()?;
    let resource_spans = request.resource_spans.into_iter().next()?;
    let resource = resource_spans.resource.map(|resource| attributes(resource.attributes)).unwrap_or_default();
    let spans =
        resource_spans.scope_spans.into_iter().flat_map(|scope| scope.spans).map(read_span).collect::<Option<_>>()?;
    Some(Batch { resource: Arc::new(resource), spans })
}

fn read_span(span: proto::Span) -> Option<SpanRecord> {
    let parent = if span.parent_span_id.is_empty() { None } else { Some(SpanId::from_slice(&span.parent_span_id)?) };
    Some(SpanRecord {
        context: context(&span.trace_id, &span.span_id, &span.trace_state, span.flags & 0xff)?,
        parent,
        parent_is_remote: span.flags & IS_REMOTE != 0,
        kind: kind(span.kind),
        name: span.name.into(),
        start: time(span.start_time_unix_nano),
        end: time(span.end_time_unix_nano),
        attributes: attributes(span.attributes),
        dropped_attributes: span.dropped_attributes_count,
        events: span.events.into_iter().map(event).collect(),
        dropped_events: span.dropped_events_count,
        links: span.links.into_iter().filter_map(link).collect(),
        dropped_links: span.dropped_links_count,
        status: status(span.status),
    })
}

fn context(trace_id: &[u8], span_id: &[u8], state: &str, flags: u32) -> Option<SpanContext> {
    let trace_state = if state.is_empty() { None } else { HeaderValue::from_str(state).ok().map(Arc::new) };
    Some(SpanContext {
        trace_id: TraceId::from_slice(trace_id)?,
        span_id: SpanId::from_slice(span_id)?,
        flags: u8::try_from(flags).ok()?,
        remote: false,
        trace_state,
    })
}

fn kind(kind: i32) -> Kind {
    match span::SpanKind::try_from(kind) {
        Ok(span::SpanKind::Server) => Kind::Server,
        Ok(span::SpanKind::Client) => Kind::Client,
        _ => Kind::Internal,
    }
}

fn event(event: span::Event) -> Event {
    Event { name: event.name.into(), time: time(event.time_unix_nano), attributes: attributes(event.attributes) }
}

fn link(link: span::Link) -> Option<Link> {
    let mut context = context(&link.trace_id, &link.span_id, &link.trace_state, link.flags & 0xff)?;
    context.remote = link.flags & IS_REMOTE != 0;
    Some(Link { context, attributes: attributes(link.attributes) })
}

fn status(status: Option<proto::Status>) -> Status {
    let Some(status) = status else { return Status::Unset };
    match status::StatusCode::try_from(status.code) {
        Ok(status::StatusCode::Ok) => Status::Ok,
        Ok(status::StatusCode::Error) => Status::Error(status.message.into()),
        _ => Status::Unset,
    }
}

fn attributes(values: Vec<KeyValue>) -> Vec<Attribute> {
    values.into_iter().filter_map(|pair| Some(attr(pair.key, value(pair.value?)?))).collect()
}

fn value(value: AnyValue) -> Option<Value> {
    Some(match value.value? {
        any_value::Value::BoolValue(value) => Value::Bool(value),
        any_value::Value::IntValue(value) => Value::Int(value),
        any_value::Value::DoubleValue(value) => Value::Float(value),
        any_value::Value::StringValue(value) => Value::Text(value.into()),
        any_value::Value::ArrayValue(values) => {
            let text = |value: AnyValue| match value.value? {
                any_value::Value::StringValue(value) => Some(value.into()),
                _ => None,
            };
            Value::Texts(values.values.into_iter().filter_map(text).collect())
        }
        _ => return None,
    })
}

fn time(nanos: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_nanos(nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::otlp;

    fn record() -> SpanRecord {
        let other = SpanContext::remote(TraceId::from_bytes([3; 16]), SpanId::from_bytes([4; 8]), true);
        let mut context = SpanContext::remote(TraceId::from_bytes([1; 16]), SpanId::from_bytes([2; 8]), true);
        context.remote = false;
        context.trace_state = Some(Arc::new(HeaderValue::from_static("vendor=value")));
        SpanRecord {
            context,
            parent: Some(SpanId::from_bytes([9; 8])),
            parent_is_remote: true,
            kind: Kind::Server,
            name: "GET /api".into(),
            start: time(1),
            end: time(2),
            attributes: vec![
                attr("text", "x"),
                attr("int", 5_i64),
                attr("float", 0.5),
                attr("bool", true),
                attr("texts", vec!["a".into(), "b".into()]),
            ],
            dropped_attributes: 1,
            events: vec![Event { name: "e".into(), time: time(1), attributes: vec![attr("k", "v")] }],
            dropped_events: 2,
            links: vec![Link { context: other, attributes: vec![attr("why", "untrusted")] }],
            dropped_links: 3,
            status: Status::Error("broken".into()),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let batch = Batch { resource: Arc::new(vec![attr("service.name", "apiserver")]), spans: vec![record()] };
        let data = otlp::request(&batch).encode_to_vec();
        let back = read_request(&data).unwrap();
        assert_eq!(format!("{back:?}"), format!("{batch:?}"));
    }

    #[test]
    fn half_a_file_is_no_batch() {
        let batch = Batch { resource: Arc::default(), spans: vec![record()] };
        let data = otlp::request(&batch).encode_to_vec();
        assert!(read_request(&data[..data.len() / 2]).is_none());
    }
}
