//! The sink, as an exporter meets it.

use std::net::TcpStream;
use std::time::Duration;

use clew_testkit::otlp::Sink;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use tonic::Code;
use tonic::codec::CompressionEncoding;

fn request(names: &[&str]) -> ExportTraceServiceRequest {
    let span = |name: &&str| Span { name: (*name).to_owned(), ..Span::default() };
    let spans = names.iter().map(span).collect();
    let scope_spans = vec![ScopeSpans { spans, ..ScopeSpans::default() }];
    ExportTraceServiceRequest { resource_spans: vec![ResourceSpans { scope_spans, ..ResourceSpans::default() }] }
}

#[tokio::test]
async fn the_sink_keeps_what_it_is_sent_and_counts_connections() {
    let sink = Sink::start().expect("a sink");
    for names in [["a", "b"], ["c", "d"]] {
        let client = TraceServiceClient::connect(sink.endpoint()).await.expect("connect");
        let mut client = client.send_compressed(CompressionEncoding::Gzip);
        client.export(request(&names)).await.expect("taken");
    }
    assert!(sink.wait_for_spans(4, Duration::from_secs(5)));
    let names: Vec<String> = sink.spans().into_iter().map(|span| span.name).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert_eq!((sink.connections(), sink.received().len()), (2, 2));
    assert!(!sink.wait_for_spans(5, Duration::from_millis(20)));
}

#[tokio::test]
async fn the_sink_refuses_as_long_as_it_is_told_to() {
    let sink = Sink::start().expect("a sink");
    let mut client = TraceServiceClient::connect(sink.endpoint()).await.expect("connect");
    sink.refuse(Some(Code::Unavailable));
    let status = client.export(request(&["a"])).await.expect_err("refused");
    assert_eq!(status.code(), Code::Unavailable);
    sink.refuse(None);
    client.export(request(&["b"])).await.expect("taken");
    assert_eq!((sink.refused(), sink.spans().len()), (1, 1));
}

#[test]
fn a_dropped_sink_listens_no_more() {
    let sink = Sink::start().expect("a sink");
    let address = sink.address();
    TcpStream::connect(address).expect("listens");
    drop(sink);
    TcpStream::connect(address).expect_err("listens no more");
}
