//! Good clients over both protocols.

use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use prost::Message;
use tonic::codec::CompressionEncoding;

use crate::client::{JSON, PROTOBUF, grpc, gzip, head, now, post, request, span};
use crate::server::{Server, limited, settings};

#[tokio::test(flavor = "multi_thread")]
async fn spans_over_grpc_are_durable_when_they_are_acknowledged() {
    let server = Server::start(&settings()).await;
    let mut client = grpc(&server.grpc()).await;
    let answer = client.export(request(vec![span("plain")])).await.expect("taken").into_inner();
    assert_eq!(answer.partial_success, None);
    assert_eq!(server.names(), ["plain"]);
    for (name, encoding) in [("gzip", CompressionEncoding::Gzip), ("zstd", CompressionEncoding::Zstd)] {
        let mut packing = client.clone().send_compressed(encoding).accept_compressed(encoding);
        packing.export(request(vec![span(name)])).await.expect("taken");
    }
    assert_eq!(server.names(), ["plain", "gzip", "zstd"]);
    let received = server.receiver.received();
    assert_eq!((received.requests, received.spans, received.connections), (3, 3, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_over_http_come_in_any_form_and_packing() {
    let server = Server::start(&settings()).await;
    let protobuf = request(vec![span("protobuf")]).encode_to_vec();
    let start = now();
    let json = format!(
        r#"{{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":{{"stringValue":"kubelet"}}}}]}},
        "scopeSpans":[{{"scope":{{}},"spans":[{{"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"eee19b7ec3c1b174",
        "name":"json","kind":2,"startTimeUnixNano":"{start}","endTimeUnixNano":{start},"unknownField":1,
        "attributes":[{{"key":"n","value":{{"intValue":"7"}}}},{{"key":"b","value":{{"bytesValue":"aGk="}}}}]}}]}}]}}]}}"#
    );
    let zstd = zstd::encode_all(protobuf.as_slice(), 3).expect("zstd");
    let answers = [
        post(&server.http(), &[PROTOBUF], &protobuf).await,
        post(&server.http(), &[PROTOBUF, "Content-Encoding: gzip"], &gzip(&protobuf)).await,
        post(&server.http(), &[PROTOBUF, "Content-Encoding: zstd"], &zstd).await,
        post(&server.http(), &["Content-Type: application/json; charset=utf-8"], json.as_bytes()).await,
        post(&server.http(), &[JSON, "Content-Encoding: gzip"], &gzip(json.as_bytes())).await,
    ];
    for answer in &answers {
        assert_eq!(answer.code, 200, "{answer:?}");
    }
    assert_eq!(answers[0].header("content-type"), Some("application/x-protobuf"));
    assert_eq!(ExportTraceServiceResponse::decode(answers[0].body.as_slice()).expect("protobuf").partial_success, None);
    assert_eq!((answers[3].header("content-type"), answers[3].text().as_str()), (Some("application/json"), "{}"));
    assert_eq!(server.names(), ["protobuf", "protobuf", "protobuf", "json", "json"]);
    let json = &server.spans()[3];
    assert_eq!(json.trace_id.to_string(), "5b8efff798038103d269b633813fc60c");
    assert_eq!(json.resource.get_str("service.name"), Some("kubelet"));
    assert_eq!(json.attributes.get("b"), Some(&clew_model::Value::Bytes(b"hi".to_vec())));
}

#[tokio::test(flavor = "multi_thread")]
async fn grpc_and_http_are_understood_at_either_port() {
    let server = Server::start(&settings()).await;
    grpc(&format!("http://{}", server.http())).await.export(request(vec![span("a")])).await.expect("taken");
    let at_grpc = server.receiver.grpc().expect("gRPC").to_string();
    assert_eq!(post(&at_grpc, &[PROTOBUF], &request(vec![span("b")]).encode_to_vec()).await.code, 200);
    assert_eq!(server.names(), ["a", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_of_a_request_is_told_and_the_rest_is_kept() {
    let server = Server::start(&settings()).await;
    let mut bad = span("no id");
    bad.trace_id.clear();
    let mixed = request(vec![span("good"), bad.clone()]);
    let answer = grpc(&server.grpc()).await.export(mixed.clone()).await.expect("taken").into_inner();
    let partial = answer.partial_success.expect("a part was refused");
    assert_eq!(partial.rejected_spans, 1);
    assert_eq!(partial.error_message, "1 with an invalid trace id, span id or parent");
    let answer = post(&server.http(), &[PROTOBUF], &mixed.encode_to_vec()).await;
    let partial = ExportTraceServiceResponse::decode(answer.body.as_slice()).expect("protobuf").partial_success;
    assert_eq!(partial.map(|partial| partial.rejected_spans), Some(1));
    let json = serde_json::to_vec(&request(vec![bad])).expect("JSON");
    let answer = post(&server.http(), &[JSON], &json).await;
    assert_eq!(answer.code, 200, "what can never be taken is not to be sent again");
    assert!(answer.text().contains(r#""rejectedSpans":"1""#), "{}", answer.text());
    assert_eq!(server.names(), ["good", "good"]);
    assert_eq!(server.receiver.received().span_refusals(clew_store::otlp::Reason::Id), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_request_is_acknowledged_and_not_kept() {
    let server = Server::start(&settings()).await;
    grpc(&server.grpc()).await.export(request(Vec::new())).await.expect("taken");
    assert_eq!(post(&server.http(), &[PROTOBUF], b"").await.code, 200);
    assert!(server.store.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shut_down_lets_requests_end_and_takes_no_more() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Server::start(&limited(|_| {})).await;
    let address = server.http();
    let body = request(vec![span("last")]).encode_to_vec();
    let mut stream = tokio::net::TcpStream::connect(&address).await.expect("connect");
    stream.write_all(head(body.len(), &[PROTOBUF]).as_bytes()).await.expect("send");
    stream.write_all(&body[..10]).await.expect("send");
    tokio::time::sleep(Duration::from_millis(200)).await;
    let ending = tokio::spawn(server.receiver.shut_down(Duration::from_secs(10)));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(tokio::net::TcpStream::connect(&address).await.is_err(), "no new connection");
    stream.write_all(&body[10..]).await.expect("send");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(ending.await.expect("ends").spans, 1);
    assert_eq!(server.store.requests().len(), 1);
}
