//! What several tests need: a configured tracing, an HTTP server, words for spans.
#![allow(dead_code, reason = "each test takes what it needs")]

use axum::Router;
use bytes::Bytes;
use clew_instrument::{Batching, Environment, Retrying, Tracing, TracingConfiguration};
use clew_testkit::otlp::Sink;
use http::{HeaderMap, Request, Response};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use opentelemetry_proto::tonic::common::v1::any_value;
use opentelemetry_proto::tonic::trace::v1::Span;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const SAMPLED: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
pub(crate) const UNSAMPLED: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
pub(crate) const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
pub(crate) const PARENT: &str = "b7ad6b7169203331";
pub(crate) const SOON: Duration = Duration::from_secs(10);

/// No variables of the process, so that tests mean the same everywhere.
pub(crate) fn no_environment() -> Environment {
    Environment::default()
}

/// Quick batches and retries, so that tests do not wait.
pub(crate) fn quick() -> Batching {
    Batching { delay: Duration::from_millis(20), timeout: Duration::from_secs(2), ..Batching::default() }
}

pub(crate) fn quick_retries() -> Retrying {
    Retrying {
        first: Duration::from_millis(20),
        longest: Duration::from_millis(100),
        give_up: Duration::from_millis(500),
    }
}

pub(crate) fn configuration(sink: &Sink, rate: i32) -> TracingConfiguration {
    TracingConfiguration {
        endpoint: Some(sink.address().to_string()),
        sampling_rate_per_million: Some(rate),
        service: None,
    }
}

/// Tracing that sends to a sink.
pub(crate) fn tracing_to(sink: &Sink, rate: i32) -> Tracing {
    let builder = Tracing::builder("test").environment(no_environment()).batching(quick()).retrying(quick_retries());
    builder.configuration(configuration(sink, rate)).build().unwrap()
}

/// The spans that a sink has, once this many are there.
pub(crate) fn spans(tracing: &Tracing, sink: &Sink, count: usize) -> Vec<Span> {
    assert!(tracing.flush(SOON), "flushed in time");
    assert!(
        sink.wait_for_spans(count, SOON),
        "{} spans instead of {count}: {:?}",
        sink.spans().len(),
        names(&sink.spans())
    );
    sink.spans()
}

pub(crate) fn names(spans: &[Span]) -> Vec<String> {
    let mut names: Vec<String> = spans.iter().map(|span| span.name.clone()).collect();
    names.sort();
    names
}

pub(crate) fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("no {name} in {:?}", names(spans)))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// An attribute as text.
pub(crate) fn attribute(span: &Span, key: &str) -> Option<String> {
    let value = span.attributes.iter().find(|pair| pair.key == key)?.value.clone()?.value?;
    Some(match value {
        any_value::Value::StringValue(text) => text,
        any_value::Value::IntValue(number) => number.to_string(),
        any_value::Value::BoolValue(value) => value.to_string(),
        other => format!("{other:?}"),
    })
}

/// A real HTTP server on a free port.
pub(crate) async fn serve(router: Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

pub(crate) type HttpClient = Client<HttpConnector, Full<Bytes>>;

pub(crate) fn http_client() -> HttpClient {
    Client::builder(TokioExecutor::new()).build_http()
}

/// Sends a request with headers, reads the whole answer.
pub(crate) async fn send(method: &str, url: String, headers: &[(&str, &str)]) -> Response<Bytes> {
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = http_client().request(request.body(Full::default()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = http_body_util::BodyExt::collect(body).await.unwrap().to_bytes();
    Response::from_parts(parts, body)
}

/// A server that remembers the headers of its requests.
pub(crate) async fn recorder() -> (SocketAddr, Arc<Mutex<Vec<HeaderMap>>>) {
    let seen: Arc<Mutex<Vec<HeaderMap>>> = Arc::default();
    let keep = Arc::clone(&seen);
    let router = Router::new().fallback(move |headers: HeaderMap| async move {
        keep.lock().unwrap().push(headers);
        "ok"
    });
    (serve(router).await, seen)
}
