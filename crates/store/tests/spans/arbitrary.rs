//! Spans as anyone may send them.

use std::sync::Arc;

use clew_model::{Attributes, Span, SpanEvent, SpanId, SpanKind, SpanLink, Status, StatusCode, Time, TraceId, Value};
use compact_str::CompactString;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn text() -> impl Strategy<Value = CompactString> {
    prop_oneof![
        3 => "[a-z.]{0,12}",
        1 => "\\PC{0,6}",
        1 => "[\\x00-\\x1f\"\\\\/$é\u{10348}]{0,6}",
    ]
    .prop_map(CompactString::from)
}

fn key() -> impl Strategy<Value = CompactString> {
    const KNOWN: &[&str] =
        &["k8s.pod.name", "k8s.pod.uid", "verb", "$bytes", "$double", "$map", "service.name", "k8s.cluster.name", ""];
    prop_oneof![1 => proptest::sample::select(KNOWN).prop_map(CompactString::from), 2 => text()]
}

fn value() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        text().prop_map(Value::Str),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_filter("NaN equals nothing", |number| !number.is_nan()).prop_map(Value::Double),
        vec(any::<u8>(), 0..9).prop_map(Value::Bytes),
    ];
    plain.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            vec((key(), inner), 0..4).prop_map(|pairs| Value::Map(pairs.into_iter().collect())),
        ]
    })
}

fn attributes() -> impl Strategy<Value = Attributes> {
    vec((key(), value()), 0..6).prop_map(|pairs| pairs.into_iter().collect())
}

fn trace_id() -> impl Strategy<Value = TraceId> {
    any::<[u8; 16]>().prop_map(TraceId::from_bytes)
}

fn span_id() -> impl Strategy<Value = SpanId> {
    any::<[u8; 8]>().prop_map(SpanId::from_bytes)
}

fn event() -> impl Strategy<Value = SpanEvent> {
    (any::<i64>(), text(), attributes()).prop_map(|(nanos, name, attributes)| SpanEvent {
        time: Time::from_nanos(nanos),
        name,
        attributes,
    })
}

fn link() -> impl Strategy<Value = SpanLink> {
    (trace_id(), span_id(), text(), attributes()).prop_map(|(trace_id, span_id, trace_state, attributes)| SpanLink {
        trace_id,
        span_id,
        trace_state,
        attributes,
    })
}

/// Any span, its resource its own.
pub(crate) fn span() -> impl Strategy<Value = Span> {
    let ids = (trace_id(), span_id(), option::of(span_id()));
    let times = (any::<i64>(), option::of(any::<i64>()));
    let words = (text(), text(), text(), text());
    let numbers = (any::<u32>(), 0..6_i32, 0..3_i32);
    let lists = (attributes(), vec(event(), 0..3), vec(link(), 0..3), attributes());
    (ids, times, words, numbers, lists).prop_map(|(ids, times, words, numbers, lists)| Span {
        trace_id: ids.0,
        span_id: ids.1,
        parent: ids.2,
        trace_state: words.0,
        flags: numbers.0,
        name: words.1,
        kind: SpanKind::from_otlp(numbers.1),
        start: Time::from_nanos(times.0),
        end: times.1.map(Time::from_nanos),
        status: Status { code: StatusCode::from_otlp(numbers.2), message: words.2 },
        attributes: lists.0,
        events: lists.1,
        links: lists.2,
        resource: Arc::new(lists.3),
        scope: words.3.as_str().into(),
    })
}
