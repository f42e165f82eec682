//! What is told of the spans of a request beside their columns: to the weaver, and to whoever looks for what comes twice.

use std::hash::RandomState;

use clew_model::{Time, TraceId};
use clew_store::otlp::{Checked, Limits, Native, check};
use clew_weave::fact::Uid;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1 as wire;
use prost::Message;

use crate::hostile::{pair, span, text};

fn told(groups: Vec<(&str, Vec<wire::Span>)>) -> Vec<Native> {
    checked(groups).native
}

fn checked(groups: Vec<(&str, Vec<wire::Span>)>) -> Checked {
    let groups = groups.into_iter().map(|(cluster, spans)| wire::ResourceSpans {
        resource: Some(Resource { attributes: vec![pair("k8s.cluster.name", text(cluster))], ..Resource::default() }),
        scope_spans: vec![wire::ScopeSpans { spans, ..wire::ScopeSpans::default() }],
        ..wire::ResourceSpans::default()
    });
    let request = ExportTraceServiceRequest { resource_spans: groups.collect() };
    check(&request.encode_to_vec().into(), &Limits::default()).expect("protobuf")
}

fn of_trace(trace: u8, start: u64, attributes: &[(&str, &str)]) -> wire::Span {
    let attributes = attributes.iter().map(|(key, value)| pair(key, text(value))).collect();
    wire::Span { trace_id: vec![trace; 16], start_time_unix_nano: start, attributes, ..span(1) }
}

#[test]
fn spans_of_a_trace_that_follow_each_other_are_told_together() {
    let spans = vec![
        of_trace(1, 5, &[]),
        of_trace(1, 3, &[("audit-id", "a")]),
        of_trace(1, 4, &[]),
        of_trace(2, 6, &[]),
        of_trace(1, 7, &[]),
    ];
    let told = told(vec![("", spans)]);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].cluster, None);
    let spans: Vec<_> = told[0].spans.iter().map(|told| (told.trace, told.spans, told.start)).collect();
    let trace = |number| TraceId::from_bytes([number; 16]);
    let at = Time::from_nanos;
    assert_eq!(spans, [(trace(1), 3, at(3)), (trace(2), 1, at(6)), (trace(1), 1, at(7))]);
    assert_eq!(told[0].spans[0].audit, Some(Uid::new("a")));
}

#[test]
fn what_two_spans_say_is_not_taken_for_what_one_says() {
    let pod = of_trace(1, 1, &[("k8s.pod.uid", "p")]);
    let container = of_trace(1, 2, &[("container.id", "c")]);
    let told = told(vec![("", vec![pod, container])]);
    let spans: Vec<_> = told[0].spans.iter().map(|told| (told.pod.clone(), told.runtime.as_deref())).collect();
    assert_eq!(spans, [(Some(Uid::new("p")), None), (None, Some("c"))]);
}

#[test]
fn the_strongest_key_places_a_span_and_an_empty_text_does_not() {
    let attributes =
        [("pod.sandbox.id", "weak"), ("sandbox.id", "strong"), ("audit.id", ""), ("k8s.admission.review.uid", "r")];
    let told = told(vec![("", vec![of_trace(1, 1, &attributes)])]);
    let span = &told[0].spans[0];
    assert_eq!((span.runtime.as_deref(), &span.audit, &span.review), (Some("strong"), &None, &Some(Uid::new("r"))));
}

#[test]
fn each_cluster_has_its_own() {
    let one = || vec![of_trace(1, 1, &[])];
    let told = told(vec![("east", one()), ("east", one()), ("west", one()), ("", one())]);
    let clusters: Vec<_> = told.iter().map(|native| (native.cluster.as_deref(), native.spans[0].spans)).collect();
    assert_eq!(clusters, [(Some("east"), 2), (Some("west"), 1), (None, 1)]);
}

#[test]
fn a_span_is_known_again_in_any_request_of_its_resource() {
    let key = RandomState::new();
    let hashes = |cluster, traces: &[u8]| {
        let spans = traces.iter().map(|trace| of_trace(*trace, 1, &[])).collect();
        checked(vec![(cluster, spans)]).spans.hashes(&key)
    };
    let (one, other) = (hashes("east", &[1, 2]), hashes("east", &[2, 1, 3]));
    assert_eq!((one[0], one[1]), (other[1], other[0]));
    assert_ne!(hashes("west", &[1])[0], one[0]);
    assert_eq!(other.len(), 3);
}
