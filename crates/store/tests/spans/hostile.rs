//! What breaks a rule is refused or cut, and counted; the rest is kept.

use bytes::Bytes;
use clew_model::Span;
use clew_store::otlp::{Counts, Limits, Reason, check, decode};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::trace::v1 as wire;
use prost::Message;

pub(crate) fn span(number: u8) -> wire::Span {
    wire::Span {
        trace_id: vec![number; 16],
        span_id: vec![number; 8],
        name: format!("span {number}"),
        start_time_unix_nano: 1_700_000_000_000_000_000,
        end_time_unix_nano: 1_700_000_000_000_000_009,
        ..wire::Span::default()
    }
}

pub(crate) fn text(text: &str) -> Any {
    Any::StringValue(text.into())
}

pub(crate) fn pair(key: &str, value: Any) -> KeyValue {
    KeyValue { key: key.into(), value: Some(AnyValue { value: Some(value) }), ..KeyValue::default() }
}

fn request(spans: Vec<wire::Span>) -> ExportTraceServiceRequest {
    let part = wire::ScopeSpans { spans, ..wire::ScopeSpans::default() };
    let group = wire::ResourceSpans { scope_spans: vec![part], ..wire::ResourceSpans::default() };
    ExportTraceServiceRequest { resource_spans: vec![group] }
}

/// What is left after a check, and what was counted; a decode of the unchecked bytes must agree.
fn taken(bytes: Vec<u8>, limits: &Limits) -> (Vec<Span>, Counts) {
    let (batch, counts) = decode(&bytes, limits).expect("protobuf");
    let checked = check(&Bytes::from(bytes), limits).expect("protobuf");
    assert_eq!(checked.counts, counts);
    let spans = decode(&checked.request, limits).expect("protobuf").0.spans().expect("columns");
    assert_eq!(batch.spans().expect("columns"), spans);
    (spans, counts)
}

fn names(spans: &[Span]) -> Vec<&str> {
    spans.iter().map(|span| span.name.as_str()).collect()
}

#[test]
fn a_span_without_ids_is_refused_and_the_rest_kept() {
    let mut bad = [span(1), span(2), span(3), span(4)];
    bad[0].trace_id = vec![0; 16];
    bad[1].span_id = vec![1; 7];
    bad[2].parent_span_id = vec![1; 3];
    let spans = bad.into_iter().chain([span(5)]).collect();
    let (spans, counts) = taken(request(spans).encode_to_vec(), &Limits::default());
    assert_eq!(names(&spans), ["span 4", "span 5"]);
    assert_eq!((counts.taken, counts.of(Reason::Id), counts.refused()), (2, 3, 3));
    assert_eq!(counts.describe(), "3 with an invalid trace id, span id or parent");
}

#[test]
fn impossible_times_are_refused() {
    let mut spans = vec![span(1), span(2), span(3), span(4), span(5)];
    spans[0].start_time_unix_nano = 0;
    spans[1].start_time_unix_nano = (-5_i64).cast_unsigned();
    spans[2].start_time_unix_nano = 4_000_000_000_000_000_000;
    spans[3].end_time_unix_nano = 0;
    spans[4].end_time_unix_nano = 5;
    let limits = Limits { latest: 1_800_000_000_000_000_000, ..Limits::default() };
    let (spans, counts) = taken(request(spans).encode_to_vec(), &limits);
    assert_eq!(names(&spans), ["span 4", "span 5"]);
    assert_eq!(counts.of(Reason::Time), 3);
    assert_eq!((spans[0].end, spans[0].duration()), (None, None));
    assert_eq!(spans[1].duration(), Some(0));
}

#[test]
fn text_that_is_no_text_refuses_its_span_alone() {
    let mut bytes = request(vec![span(1), span(2)]).encode_to_vec();
    let at = bytes.windows(6).position(|window| window == b"span 1").unwrap();
    bytes[at] = 0xff;
    assert!(ExportTraceServiceRequest::decode(bytes.as_slice()).is_err(), "prost refuses all of it");
    let (spans, counts) = taken(bytes, &Limits::default());
    assert_eq!(names(&spans), ["span 2"]);
    assert_eq!(counts.of(Reason::Utf8), 1);
}

#[test]
fn a_resource_that_is_no_text_refuses_its_spans() {
    let mut request = request(vec![span(1), span(2)]);
    request.resource_spans[0].resource.get_or_insert_default().attributes =
        vec![pair("service.name", Any::StringValue("MARK".into()))];
    let mut bytes = request.encode_to_vec();
    let at = bytes.windows(4).position(|window| window == b"MARK").unwrap();
    bytes[at] = 0xc0;
    let (spans, counts) = taken(bytes, &Limits::default());
    assert_eq!(spans, []);
    assert_eq!(counts.of(Reason::Utf8), 2);
}

#[test]
fn what_holds_no_span_any_more_goes_with_it() {
    let part = |name: &str, number| wire::ScopeSpans {
        scope: Some(InstrumentationScope { name: name.into(), ..InstrumentationScope::default() }),
        spans: vec![span(number), wire::Span { trace_id: Vec::new(), ..span(number) }],
        ..wire::ScopeSpans::default()
    };
    let mut all = request(Vec::new());
    all.resource_spans[0].scope_spans = vec![part("MARK", 1), part("good", 2)];
    all.resource_spans.push(request(vec![wire::Span::default()]).resource_spans.remove(0));
    let mut bytes = all.encode_to_vec();
    let at = bytes.windows(4).position(|window| window == b"MARK").unwrap();
    bytes[at] = 0xc0;
    let checked = check(&bytes.into(), &Limits::default()).expect("protobuf");
    assert_eq!((checked.counts.taken, checked.counts.of(Reason::Utf8), checked.counts.of(Reason::Id)), (1, 2, 2));
    all.resource_spans.truncate(1);
    all.resource_spans[0].scope_spans.remove(0);
    all.resource_spans[0].scope_spans[0].spans.truncate(1);
    assert_eq!(ExportTraceServiceRequest::decode(checked.request.clone()).expect("protobuf"), all);
    assert_eq!((&checked.request, checked.spans.spans().len()), (checked.spans.request(), 1));
}

#[test]
fn deep_nesting_refuses_the_span_and_not_the_stack() {
    let nested = |depth: usize| {
        (0..depth).fold(Any::StringValue("core".into()), |inner, _| {
            Any::ArrayValue(ArrayValue { values: vec![AnyValue { value: Some(inner) }] })
        })
    };
    for (depth, expected) in [(1, 1), (32, 1), (33, 0), (2_000, 0)] {
        let mut deep = span(1);
        deep.attributes.push(pair("deep", nested(depth)));
        let (spans, counts) = taken(request(vec![deep]).encode_to_vec(), &Limits::default());
        assert_eq!((spans.len(), counts.of(Reason::Depth)), (expected, 1 - expected as u64), "{depth}");
    }
}

#[test]
fn ten_thousand_levels_take_no_stack() {
    // By hand, since dropping such a message of prost's would take the stack itself.
    let mut value = vec![10, 1, b'x'];
    for _ in 0..10_000 {
        let mut outer = Vec::new();
        wrap(&mut outer, 10, &value);
        value.clear();
        wrap(&mut value, 42, &outer);
    }
    let mut attribute = vec![10, 1, b'k'];
    wrap(&mut attribute, 18, &value);
    let mut bytes = span(1).encode_to_vec();
    wrap(&mut bytes, 74, &attribute);
    for tag in [18, 18, 10] {
        let inner = std::mem::take(&mut bytes);
        wrap(&mut bytes, tag, &inner);
    }
    let limits = Limits { value_bytes: usize::MAX, ..Limits::default() };
    let (spans, counts) = taken(bytes, &limits);
    assert_eq!((spans.len(), counts.of(Reason::Depth)), (0, 1));
}

fn wrap(out: &mut Vec<u8>, tag: u8, message: &[u8]) {
    out.push(tag);
    prost::encoding::encode_varint(message.len() as u64, out);
    out.extend_from_slice(message);
}

#[test]
fn what_is_too_much_is_left_out_and_noted() {
    let limits = Limits { attributes: 2, events: 1, links: 1, key_bytes: 8, value_bytes: 9, ..Limits::default() };
    let mut long = span(1);
    long.attributes = vec![
        pair("text", Any::StringValue("ééééééé".into())),
        pair("much too long", Any::BoolValue(true)),
        pair("bytes", Any::BytesValue(vec![1; 10])),
        pair("a", Any::IntValue(1)),
        pair("b", Any::IntValue(2)),
    ];
    long.dropped_attributes_count = 4;
    long.events = vec![wire::span::Event::default(), wire::span::Event::default()];
    let link = wire::span::Link { trace_id: vec![1; 16], span_id: vec![1; 8], ..Default::default() };
    long.links = vec![wire::span::Link::default(), link.clone(), link];
    let (spans, counts) = taken(request(vec![long]).encode_to_vec(), &limits);
    let span = &spans[0];
    assert_eq!(span.attributes.get_str("text"), Some("éééé"));
    assert_eq!(span.attributes.get("a").and_then(clew_model::Value::as_int), Some(1));
    let count = |key: &str| span.attributes.get(key).and_then(clew_model::Value::as_int);
    assert_eq!(count("otel.dropped_attributes_count"), Some(7));
    assert_eq!(count("otel.dropped_events_count"), Some(1));
    assert_eq!(count("otel.dropped_links_count"), Some(2));
    assert_eq!((span.events.len(), span.links.len()), (1, 1));
    let counted = [Reason::Attributes, Reason::Events, Reason::Links, Reason::Length].map(|reason| counts.of(reason));
    assert_eq!(counted, [3, 1, 2, 1]);
    assert_eq!(counts.refused(), 0);
}

#[test]
fn too_many_spans_are_refused_past_the_limit() {
    let limits = Limits { spans: 3, ..Limits::default() };
    let (spans, counts) = taken(request((1..=5).map(span).collect()).encode_to_vec(), &limits);
    assert_eq!(names(&spans), ["span 1", "span 2", "span 3"]);
    assert_eq!(counts.of(Reason::Spans), 2);
}

#[test]
fn spans_with_the_same_ids_are_all_kept_as_received() {
    let mut other = span(1);
    other.name = "another".into();
    let (spans, _) = taken(request(vec![span(1), other]).encode_to_vec(), &Limits::default());
    assert_eq!(names(&spans), ["span 1", "another"]);
}

#[test]
fn what_is_no_protobuf_is_an_error_that_says_why() {
    let bytes = request(vec![span(1)]).encode_to_vec();
    let error = decode(&bytes[..bytes.len() - 1], &Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "this is no OTLP trace request: it ends in the middle of a field");
    assert!(decode(b"{\"resourceSpans\":[]}", &Limits::default()).is_err());
    assert_eq!(decode(b"", &Limits::default()).unwrap().1, Counts::default());
}
