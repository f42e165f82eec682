//! What is not taken, in the words of both protocols.

use std::sync::Arc;
use std::time::Duration;

use clew_collect::CollectError;
use clew_collect::intake::Intake;
use clew_collect::receive::{Receiver, Settings};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use tonic::Code;

use crate::client::{JSON, PROTOBUF, grpc, head, post, request, send, span};
use crate::memory_store::MemoryStore;
use crate::server::{Server, limited, settings};

/// `google.rpc.Status` with its details, as a client reads them.
#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Detail>,
}

#[derive(Clone, PartialEq, Message)]
struct Detail {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(message, optional, tag = "2")]
    retry: Option<RetryInfo>,
}

#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    delay: Option<Delay>,
}

#[derive(Clone, PartialEq, Message)]
struct Delay {
    #[prost(int64, tag = "1")]
    seconds: i64,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_store_is_retried_when_it_says() {
    let server = Server::start(&settings()).await;
    server.store.set_full(true);
    let mut client = grpc(&server.grpc()).await;
    let refused = client.export(request(vec![span("x")])).await.expect_err("full");
    assert_eq!(refused.code(), Code::Unavailable);
    let status = RpcStatus::decode(refused.details()).expect("details");
    assert_eq!(status.code, Code::Unavailable as i32);
    assert_eq!(status.details[0].type_url, "type.googleapis.com/google.rpc.RetryInfo");
    let delay = status.details[0].retry.clone().and_then(|retry| retry.delay).expect("a delay");
    assert_eq!(delay.seconds, 2);
    let answer = post(&server.http(), &[PROTOBUF], &request(vec![span("x")]).encode_to_vec()).await;
    assert_eq!((answer.code, answer.header("retry-after")), (503, Some("2")));
    assert_eq!(RpcStatus::decode(answer.body.as_slice()).expect("a status").code, Code::Unavailable as i32);
    assert!(server.store.requests().is_empty());
    server.store.set_full(false);
    client.export(request(vec![span("x")])).await.expect("taken");
    let received = server.receiver.received();
    assert_eq!((received.refused("full"), received.spans), (2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_hangs_is_not_waited_for_forever() {
    let store = Arc::new(MemoryStore::default());
    // Nobody weaves, and there is room for one: the second request waits.
    let (sender, weaving) = tokio::sync::mpsc::channel(1);
    let settings = limited(|limits| limits.sink_time = Duration::from_millis(300));
    let receiver = Receiver::start(&settings, Arc::new(Intake::new(store, sender))).await.expect("listens");
    let mut client = grpc(&format!("http://{}", receiver.grpc().expect("gRPC"))).await;
    client.export(request(vec![span("first")])).await.expect("taken");
    let refused = client.export(request(vec![span("second")])).await.expect_err("hangs");
    assert_eq!(refused.code(), Code::Unavailable);
    assert_eq!(receiver.received().refused("unavailable"), 1);
    drop(weaving);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_hangs_does_not_fill_the_memory() {
    let (sender, _weaving) = tokio::sync::mpsc::channel(1);
    let settings = limited(|limits| {
        limits.sink_time = Duration::from_millis(100);
        limits.memory_bytes = 10_000;
    });
    let intake = Intake::new(Arc::new(MemoryStore::default()), sender);
    let receiver = Receiver::start(&settings, Arc::new(intake)).await.expect("listens");
    let mut client = grpc(&format!("http://{}", receiver.grpc().expect("gRPC"))).await;
    let large = || request(vec![Span { name: "x".repeat(4000), ..span("large") }]);
    client.export(large()).await.expect("taken");
    // Two wait in the store; there is no memory for a third.
    let codes = [client.export(large()).await, client.export(large()).await, client.export(large()).await];
    let codes = codes.map(|answer| answer.expect_err("hangs").code());
    assert_eq!(codes, [Code::Unavailable, Code::Unavailable, Code::ResourceExhausted]);
    assert_eq!(receiver.received().refused("busy"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_asked_for_before_anything_is_read() {
    let server = Server::start(&Settings { tokens: vec!["s3cret".to_owned()], ..settings() }).await;
    let body = request(vec![span("x")]).encode_to_vec();
    let mut client = grpc(&server.grpc()).await;
    assert_eq!(client.export(request(vec![span("x")])).await.expect_err("no token").code(), Code::Unauthenticated);
    let mut call = tonic::Request::new(request(vec![span("x")]));
    call.metadata_mut().insert("authorization", "Bearer s3cret".parse().expect("value"));
    client.export(call).await.expect("taken");
    let without = post(&server.http(), &[PROTOBUF], &body).await;
    assert_eq!((without.code, without.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(post(&server.http(), &[PROTOBUF, "Authorization: Bearer wrong"], &body).await.code, 401);
    assert_eq!(post(&server.http(), &[PROTOBUF, "Authorization: Bearer s3cret"], &body).await.code, 200);
    assert_eq!(server.spans().len(), 2);
    assert_eq!(server.receiver.received().refused("unauthenticated"), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_trace_request_is_refused_with_a_reason() {
    let server = Server::start(&limited(|limits| limits.request_bytes = 1000)).await;
    let http = server.http();
    let malformed = post(&http, &[JSON], b"{\"resourceSpans\":[{]}").await;
    assert_eq!((malformed.code, malformed.header("content-type")), (400, Some("application/json")));
    assert!(malformed.text().contains("this is no OTLP trace request"), "{}", malformed.text());
    assert_eq!(post(&http, &[PROTOBUF], b"\xff\xff").await.code, 400);
    assert_eq!(post(&http, &["Content-Type: text/plain"], b"").await.code, 415);
    assert_eq!(post(&http, &[PROTOBUF, "Content-Encoding: br"], b"").await.code, 415);
    assert_eq!(post(&http, &[PROTOBUF], &[0; 1001]).await.code, 413);
    assert_eq!(send(&http, "GET /v1/traces HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", b"").await.code, 405);
    assert_eq!(send(&http, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", b"").await.code, 404);
    // Chunks have no length that could be looked at before.
    let chunked = head(0, &[PROTOBUF, "Connection: close"]).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let body = [b"800\r\n".as_slice(), &[0; 0x800], b"\r\n0\r\n\r\n"].concat();
    assert_eq!(send(&http, &chunked, &body).await.code, 413);
    let received = server.receiver.received();
    for (word, count) in
        [("malformed", 2), ("media_type", 1), ("encoding", 1), ("too_large", 2), ("method", 1), ("not_found", 1)]
    {
        assert_eq!(received.refused(word), count, "{word}");
    }
    assert!(server.store.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_cannot_be_taken_have_grpcs_codes() {
    use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
    use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_client::MetricsServiceClient;
    let server = Server::start(&limited(|limits| limits.request_bytes = 1000)).await;
    let mut large = span("large");
    large.name = "x".repeat(2000);
    let refused = grpc(&server.grpc()).await.export(request(vec![large])).await.expect_err("too large");
    assert_eq!(refused.code(), Code::ResourceExhausted);
    let mut metrics = MetricsServiceClient::connect(server.grpc()).await.expect("connects");
    let refused = metrics.export(ExportMetricsServiceRequest::default()).await.expect_err("not here");
    assert_eq!(refused.code(), Code::Unimplemented);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_machines_are_not_listened_to_in_clear_text() {
    let wide = Some(([0, 0, 0, 0], 0).into());
    let intake = || Arc::new(Intake::new(Arc::new(MemoryStore::default()), tokio::sync::mpsc::channel(1).0));
    let refused = Receiver::start(&Settings { http: wide, ..settings() }, intake()).await.err().expect("refused");
    assert!(matches!(refused, CollectError::ClearText { .. }), "{refused}");
    assert!(refused.to_string().contains("--insecure"), "{refused}");
    let allowed = Settings { http: wide, insecure: true, ..settings() };
    Receiver::start(&allowed, intake()).await.expect("explicitly allowed");
    let v6 = Settings { grpc: Some("[::1]:0".parse().expect("address")), ..settings() };
    Receiver::start(&v6, intake()).await.expect("loopback has two families");
}
