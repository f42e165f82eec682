//! Clients: the usual ones, and raw sockets for what no usual client does.

use std::time::{SystemTime, UNIX_EPOCH};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::transport::Channel;

pub(crate) const PROTOBUF: &str = "Content-Type: application/x-protobuf";
pub(crate) const JSON: &str = "Content-Type: application/json";

pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock");
    u64::try_from(now.as_nanos()).expect("this century")
}

/// A good span.
pub(crate) fn span(name: &str) -> Span {
    let start = now();
    Span {
        name: name.to_owned(),
        trace_id: vec![7; 16],
        span_id: vec![9; 8],
        start_time_unix_nano: start,
        end_time_unix_nano: start + 1000,
        ..Span::default()
    }
}

pub(crate) fn request(spans: Vec<Span>) -> ExportTraceServiceRequest {
    let scope_spans = vec![ScopeSpans { spans, ..ScopeSpans::default() }];
    ExportTraceServiceRequest { resource_spans: vec![ResourceSpans { scope_spans, ..ResourceSpans::default() }] }
}

pub(crate) async fn grpc(endpoint: &str) -> TraceServiceClient<Channel> {
    TraceServiceClient::connect(endpoint.to_owned()).await.expect("connects")
}

/// What came back over HTTP.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) code: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answered {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// The head of a post to `/v1/traces`.
pub(crate) fn head(length: usize, headers: &[&str]) -> String {
    let mut head = format!("POST /v1/traces HTTP/1.1\r\nHost: clew\r\nContent-Length: {length}\r\n");
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    head
}

/// Posts to `/v1/traces`.
pub(crate) async fn post(address: &str, headers: &[&str], body: &[u8]) -> Answered {
    let headers: Vec<&str> = headers.iter().copied().chain(["Connection: close"]).collect();
    send(address, &head(body.len(), &headers), body).await
}

/// Sends a request as it is, and reads until the connection ends.
pub(crate) async fn send(address: &str, head: &str, body: &[u8]) -> Answered {
    let mut stream = TcpStream::connect(address).await.expect("connect");
    stream.write_all(head.as_bytes()).await.expect("send");
    // The receiver may answer before it has read all, and close.
    let _ = stream.write_all(body).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a code");
    Answered { code, head, body: answer[end + 4..].to_vec() }
}

pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(plain).expect("write");
    encoder.finish().expect("finish")
}
