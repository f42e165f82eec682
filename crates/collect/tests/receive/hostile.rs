//! Clients that mean harm, or are broken.

use std::time::{Duration, Instant};

use clew_store::otlp::Reason;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, KeyValue};
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{JSON, PROTOBUF, grpc, gzip, head, now, post, request, send, span};
use crate::server::{Server, limited, settings};

const SHORT: Duration = Duration::from_millis(500);

/// Reads until the connection ends; how long that took, and what came.
async fn until_closed(stream: &mut TcpStream) -> (Duration, String) {
    let started = Instant::now();
    let mut answer = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
    assert!(ended.is_ok(), "the connection is never closed");
    (started.elapsed(), String::from_utf8_lossy(&answer).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_says_nothing_is_sent_away() {
    let server = Server::start(&limited(|limits| limits.head_time = SHORT)).await;
    for beginning in ["", "P", "PRI * HTTP/2.0\r\n\r\n", "POST /v1/traces HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = TcpStream::connect(server.http()).await.expect("connect");
        stream.write_all(beginning.as_bytes()).await.expect("send");
        let (took, _) = until_closed(&mut stream).await;
        assert!(took < Duration::from_secs(10), "{beginning:?} took {took:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_trickles_in_is_not_waited_for() {
    let server = Server::start(&limited(|limits| limits.head_time = SHORT)).await;
    let mut stream = TcpStream::connect(server.http()).await.expect("connect");
    let started = Instant::now();
    for byte in head(10, &[PROTOBUF]).bytes() {
        if stream.write_all(&[byte]).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(started.elapsed() < Duration::from_secs(8), "the connection was kept {:?}", started.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_trickles_in_is_refused() {
    let server = Server::start(&limited(|limits| limits.body_time = SHORT)).await;
    let mut stream = TcpStream::connect(server.http()).await.expect("connect");
    stream.write_all(head(1000, &[PROTOBUF]).as_bytes()).await.expect("send");
    let (mut read, mut write) = stream.into_split();
    let trickle = tokio::spawn(async move {
        while write.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let mut answer = [0; 12];
    read.read_exact(&mut answer).await.expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 408");
    trickle.abort();
    assert_eq!(server.receiver.received().refused("slow"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_reads_is_cut_off() {
    let server = Server::start(&limited(|limits| limits.write_time = SHORT)).await;
    let stream = TcpStream::connect(server.http()).await.expect("connect");
    let (_unread, mut write) = stream.into_split();
    // Each answer is larger than its question: the receiver's side fills first.
    let question = "GET /nothing/is/here HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1000);
    let started = Instant::now();
    while write.write_all(question.as_bytes()).await.is_ok() {
        assert!(started.elapsed() < Duration::from_mins(1), "the connection is never cut");
    }
    assert!(server.receiver.received().refused("not_found") > 0);
    assert_eq!(post(&server.http(), &[PROTOBUF], b"").await.code, 200, "others are served");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_went_quiet_is_closed() {
    let server = Server::start(&limited(|limits| limits.idle_time = SHORT)).await;
    let mut client = grpc(&server.grpc()).await;
    client.export(request(vec![span("one")])).await.expect("taken");
    server.wait_until(|received| received.connections_slow == 1).await;
    client.export(request(vec![span("two")])).await.expect("a client connects again by itself");
    assert_eq!(server.receiver.received().connections, 2);
}

/// 4 GiB of zeros in 4 MiB: one member of a gzip file, 4096 times.
fn bomb() -> Vec<u8> {
    gzip(&vec![0; 1024 * 1024]).repeat(4096)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bomb_of_four_gigabytes_takes_no_memory() {
    let server = Server::start(&limited(|limits| limits.body_time = Duration::from_mins(1))).await;
    let bomb = bomb();
    let before = resident();
    let mut posts = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (address, bomb) = (server.http(), bomb.clone());
        posts.spawn(async move { post(&address, &[PROTOBUF, "Content-Encoding: gzip"], &bomb).await.code });
    }
    while let Some(code) = posts.join_next().await {
        let code = code.expect("answered");
        // Too large by itself, or too much together with the others.
        assert!(code == 413 || code == 429, "{code}");
    }
    let zstd = zstd::encode_all(std::io::Read::take(std::io::repeat(0), 1 << 28), 1).expect("zstd");
    assert_eq!(post(&server.http(), &[PROTOBUF, "Content-Encoding: zstd"], &zstd).await.code, 413);
    let grown = resident().saturating_sub(before) / (1024 * 1024);
    assert!(grown < 300, "{grown} MiB");
    let received = server.receiver.received();
    assert_eq!(received.refused("too_large") + received.refused("busy"), 9);
    assert_eq!(post(&server.http(), &[PROTOBUF], b"").await.code, 200, "all memory was given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bomb_in_a_call_is_refused_too() {
    let server = Server::start(&settings()).await;
    let bomb = bomb();
    let mut message = vec![1];
    message.extend_from_slice(&u32::try_from(bomb.len()).expect("small").to_be_bytes());
    message.extend_from_slice(&bomb);
    let head = head(message.len(), &["Content-Type: application/grpc", "grpc-encoding: gzip", "Connection: close"]);
    let head = head.replace("/v1/traces", "/opentelemetry.proto.collector.trace.v1.TraceService/Export");
    let answer = send(&server.http(), &head, &message).await;
    assert_eq!((answer.code, answer.header("grpc-status")), (200, Some("8")), "{}", answer.head);
    assert_eq!(server.receiver.received().refused("too_large"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn json_that_would_grow_a_hundredfold_is_refused_before_it_is_parsed() {
    let server = Server::start(&settings()).await;
    let mut body = br#"{"resourceSpans":[{"scopeSpans":[{"spans":[{}"#.to_vec();
    body.extend(b",{}".repeat(5_000_000));
    body.extend(b"]}]}]}");
    let before = resident();
    assert_eq!(post(&server.http(), &[JSON], &body).await.code, 413);
    let grown = resident().saturating_sub(before) / (1024 * 1024);
    assert!(grown < 200, "{grown} MiB");
}

/// Bytes of memory that this process has.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("statm");
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("pages") * 4096
}

#[tokio::test(flavor = "multi_thread")]
async fn deep_nesting_is_refused_in_either_form() {
    let server = Server::start(&settings()).await;
    let nested = (0..200).fold(Any::StringValue("core".into()), |inner, _| {
        Any::ArrayValue(ArrayValue { values: vec![AnyValue { value: Some(inner) }] })
    });
    let mut deep = span("deep");
    let value = Some(AnyValue { value: Some(nested) });
    deep.attributes.push(KeyValue { key: "deep".into(), value, ..KeyValue::default() });
    let answer = grpc(&server.grpc()).await.export(request(vec![deep, span("flat")])).await.expect("taken");
    assert_eq!(answer.into_inner().partial_success.map(|partial| partial.rejected_spans), Some(1));
    let json = format!(
        r#"{{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"k","value":{}}}]}}}}]}}"#,
        r#"{"arrayValue":{"values":["#.repeat(100_000)
    );
    assert_eq!(post(&server.http(), &[JSON], json.as_bytes()).await.code, 400);
    assert_eq!(server.names(), ["flat"]);
    assert_eq!(server.receiver.received().span_refusals(Reason::Depth), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_is_no_text_costs_only_its_own_span() {
    let server = Server::start(&settings()).await;
    let mut body = request(vec![span("MARK"), span("good")]).encode_to_vec();
    let at = body.windows(4).position(|window| window == b"MARK").expect("the name");
    body[at..at + 4].copy_from_slice(&[0xff, 0xc0, 0x80, 0xfe]);
    assert_eq!(post(&server.http(), &[PROTOBUF], &body).await.code, 200);
    assert_eq!(server.names(), ["good"]);
    assert_eq!(server.receiver.received().span_refusals(Reason::Utf8), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn times_that_cannot_be_are_refused() {
    let server = Server::start(&settings()).await;
    let at = |start: u64, name: &str| {
        let mut span = span(name);
        span.start_time_unix_nano = start;
        span
    };
    let day = 86_400_000_000_000;
    let spans = vec![
        at(0, "zero"),
        at((-1_i64).cast_unsigned(), "negative"),
        at(now() + 2 * day, "far future"),
        at(now() + day / 24, "an hour ahead"),
        at(1, "1970"),
    ];
    let answer = grpc(&server.grpc()).await.export(request(spans)).await.expect("taken").into_inner();
    assert_eq!(answer.partial_success.map(|partial| partial.rejected_spans), Some(3));
    assert_eq!(server.names(), ["an hour ahead", "1970"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_that_collide_are_the_stores_to_sort_out() {
    let server = Server::start(&settings()).await;
    grpc(&server.grpc()).await.export(request(vec![span("one"), span("other")])).await.expect("taken");
    grpc(&server.grpc()).await.export(request(vec![span("one")])).await.expect("taken");
    assert_eq!(server.names(), ["one", "other", "one"]);
}
