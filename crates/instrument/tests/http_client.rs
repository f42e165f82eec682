//! The HTTP client layer, and a webhook that calls the API server back, in the three cases of KEP-647.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use axum::Router;
use axum::routing::any;
use clew_instrument::http::{ClientLayer, ClientSpan, ServerLayer, Trust};
use clew_instrument::{InContext, Tracing};
use clew_testkit::otlp::Sink;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt, Full};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};
use support::{
    SAMPLED, TRACE, attribute, configuration, hex, named, no_environment, quick, send, serve, spans, tracing_to,
};
use tower::{Layer, ServiceExt};

#[tokio::test]
async fn a_call_has_a_span_and_carries_its_context() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let (address, seen) = support::recorder().await;
    let client = ClientLayer::new(&tracing).layer(support::http_client());
    let span = tracing.start("reconcile", []);
    let request = Request::put(format!("http://{address}/apis/apps/v1/x?y=z")).body(Full::default()).unwrap();
    let response = client.oneshot(request).in_span(&span).await.unwrap();
    response.into_body().collect().await.unwrap();
    span.end();
    let all = spans(&tracing, &sink, 2);
    let call = named(&all, "HTTP PUT");
    assert_eq!(call.kind, SpanKind::Client as i32);
    assert_eq!(call.parent_span_id, named(&all, "reconcile").span_id);
    assert_eq!(attribute(call, "url.full").unwrap(), format!("http://{address}/apis/apps/v1/x?y=z"));
    assert_eq!(attribute(call, "server.port").unwrap(), address.port().to_string());
    assert_eq!(attribute(call, "http.response.status_code").as_deref(), Some("200"));
    let header = seen.lock().unwrap()[0]["traceparent"].to_str().unwrap().to_owned();
    assert_eq!(header, format!("00-{}-{}-01", hex(&call.trace_id), hex(&call.span_id)));
}

#[tokio::test]
async fn a_call_that_fails_says_why() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let client = ClientLayer::new(&tracing).layer(support::http_client());
    let request = Request::get("http://127.0.0.1:1/").body(Full::default()).unwrap();
    assert!(client.oneshot(request).await.is_err());
    let all = spans(&tracing, &sink, 1);
    assert_eq!(all[0].status.as_ref().unwrap().code, 2);
    assert!(attribute(&all[0], "error.type").is_some());
}

/// reqwest's client as a service over `http`'s types, which the layer fits.
fn reqwest_client() -> impl tower::Service<
    Request<reqwest::Body>,
    Response = http::Response<reqwest::Body>,
    Error = tower::BoxError,
    Future: Send,
> + Clone {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    tower::service_fn(move |request: Request<reqwest::Body>| {
        let client = client.clone();
        async move {
            let answer = client.execute(reqwest::Request::try_from(request)?).await?;
            Ok::<_, tower::BoxError>(http::Response::from(answer))
        }
    })
}

#[tokio::test]
async fn reqwest_fits_under_the_layer() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let (address, seen) = support::recorder().await;
    let client = ClientLayer::new(&tracing).layer(reqwest_client());
    let request = Request::post(format!("http://{address}/apis")).body(reqwest::Body::from("{}")).unwrap();
    let response = client.oneshot(request).await.unwrap();
    response.into_body().collect().await.unwrap();
    let all = spans(&tracing, &sink, 1);
    let call = named(&all, "HTTP POST");
    assert_eq!(attribute(call, "http.response.status_code").as_deref(), Some("200"));
    let header = seen.lock().unwrap()[0]["traceparent"].to_str().unwrap().to_owned();
    assert_eq!(header, format!("00-{}-{}-01", hex(&call.trace_id), hex(&call.span_id)));
}

#[tokio::test]
async fn a_span_by_hand_serves_clients_that_no_layer_fits() {
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let mut headers = HeaderMap::new();
    let span = ClientSpan::begin(&tracing, &http::Method::GET, "https://me:secret@kube:6443/healthz", &mut headers);
    span.answered(http::StatusCode::NOT_FOUND, &HeaderMap::new());
    drop(span);
    let all = spans(&tracing, &sink, 1);
    assert!(headers.contains_key("traceparent"));
    assert_eq!(attribute(&all[0], "url.full").unwrap(), "https://REDACTED:REDACTED@kube:6443/healthz");
    assert_eq!(attribute(&all[0], "error.type").as_deref(), Some("404"));
}

/// Where a request arrived, and with which context.
type Seen = Arc<Mutex<Vec<(&'static str, Option<String>)>>>;

/// An API server that calls a webhook for `/create`, and a webhook that calls the API server back for `/get`.
struct Reentrant {
    api: SocketAddr,
    /// The contexts that arrived: at the webhook, then at the API server again.
    seen: Seen,
}

impl Reentrant {
    async fn start(api: &Tracing, webhook: &Tracing) -> Self {
        let seen = Seen::default();
        let back: Arc<OnceLock<SocketAddr>> = Arc::default();
        let webhook_address = {
            let (seen, back) = (Arc::clone(&seen), Arc::clone(&back));
            let client = ClientLayer::new(webhook).layer(support::http_client());
            let handler = move |headers: HeaderMap| async move {
                seen.lock().unwrap().push(("webhook", traceparent(&headers)));
                let url = format!("http://{}/get", back.get().unwrap());
                let request = Request::get(url).body(Full::default()).unwrap();
                client.oneshot(request).await.unwrap().into_body().collect().await.unwrap();
            };
            serve(Router::new().fallback(any(handler)).layer(ServerLayer::new(webhook).trust(Trust::everyone()))).await
        };
        let get = {
            let seen = Arc::clone(&seen);
            move |headers: HeaderMap| async move { seen.lock().unwrap().push(("get", traceparent(&headers))) }
        };
        let client = ClientLayer::new(api).layer(support::http_client());
        let create = move || async move {
            let request = Request::post(format!("http://{webhook_address}/mutate")).body(Full::default()).unwrap();
            client.oneshot(request).await.unwrap().into_body().collect().await.unwrap();
        };
        // By hand, so that no framework's route names the spans.
        let router = Router::new().fallback(any(move |uri: http::Uri, headers: HeaderMap| async move {
            match uri.path() {
                "/create" => create().await,
                _ => get(headers).await,
            }
        }));
        let address = serve(router.layer(ServerLayer::new(api).trust(Trust::everyone()))).await;
        back.set(address).unwrap();
        Self { api: address, seen }
    }

    async fn create(&self) -> Vec<(&'static str, Option<String>)> {
        send("POST", format!("http://{}/create", self.api), &[("traceparent", SAMPLED)]).await;
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

fn traceparent(headers: &HeaderMap) -> Option<String> {
    headers.get("traceparent").map(|value| value.to_str().unwrap().to_owned())
}

/// The names from a span up to its root.
fn path(all: &[Span], span: &Span) -> Vec<String> {
    let mut path = vec![span.name.clone()];
    let mut parent = span.parent_span_id.clone();
    while let Some(above) = all.iter().find(|span| span.span_id == parent) {
        path.push(above.name.clone());
        parent = above.parent_span_id.clone();
    }
    path
}

#[tokio::test]
async fn a_webhook_without_tracing_breaks_the_trace_at_itself() {
    let sink = Sink::start().unwrap();
    let api = tracing_to(&sink, 0);
    let none = Tracing::builder("webhook").environment(no_environment()).gate(false).build().unwrap();
    let reentrant = Reentrant::start(&api, &none).await;
    let seen = reentrant.create().await;
    assert!(seen[0].1.as_ref().unwrap().contains(TRACE), "the webhook is told");
    assert_eq!(seen[1], ("get", None), "and does not tell");
    let all = spans(&api, &sink, 2);
    assert_eq!(support::names(&all), ["HTTP POST", "POST"]);
}

#[tokio::test]
async fn a_webhook_without_exporter_passes_the_context_through() {
    let sink = Sink::start().unwrap();
    let api = tracing_to(&sink, 0);
    let pass = Tracing::builder("webhook").environment(no_environment()).build().unwrap();
    let reentrant = Reentrant::start(&api, &pass).await;
    let seen = reentrant.create().await;
    assert_eq!(seen[0].1, seen[1].1, "the very same context comes back");
    let all = spans(&api, &sink, 3);
    assert_eq!(path(&all, named(&all, "GET")), ["GET", "HTTP POST", "POST"]);
}

#[tokio::test]
async fn a_webhook_with_exporter_adds_its_own_spans() {
    let sink = Sink::start().unwrap();
    let api = tracing_to(&sink, 0);
    let builder = Tracing::builder("webhook").environment(no_environment()).batching(quick());
    let webhook = builder.configuration(configuration(&sink, 0)).build().unwrap();
    let reentrant = Reentrant::start(&api, &webhook).await;
    reentrant.create().await;
    assert!(webhook.flush(support::SOON));
    let all = spans(&api, &sink, 5);
    assert_eq!(path(&all, named(&all, "GET")), ["GET", "HTTP GET", "POST", "HTTP POST", "POST"]);
    assert!(all.iter().all(|span| hex(&span.trace_id) == TRACE));
}
