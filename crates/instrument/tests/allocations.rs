//! An unsampled request allocates nothing: not in the server layer, not in the wrapped API below it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use clew_instrument::export::{Batch, Exported, from_fn};
use clew_instrument::http::{Caller, ServerLayer};
use clew_instrument::{Tracing, TracingConfiguration, attr, start};
use http::{HeaderValue, Request, Response};
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use support::{SAMPLED, no_environment};
use tower::{Layer, Service};

/// The smallest handler, with and without spans of its own.
#[derive(Clone)]
struct Handler {
    spans: bool,
}

impl Service<Request<()>> for Handler {
    type Response = Response<String>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<()>) -> Self::Future {
        drop(request);
        if self.spans {
            let span = start("Create", [attr("audit-id", "4711"), attr("count", 3)]);
            span.event("About to store object in database", []);
            span.event("Write to database call succeeded", [attr("len", 5)]);
            span.end_with_threshold(Duration::from_secs(1));
        }
        ready(Ok(Response::new(String::new())))
    }
}

fn tracing(rate: i32) -> Tracing {
    let configuration = TracingConfiguration { sampling_rate_per_million: Some(rate), ..Default::default() };
    let exporter = from_fn("nowhere", |_: &Batch| Ok(Exported::default()));
    let builder = Tracing::builder("test").environment(no_environment()).exporter(exporter);
    builder.configuration(configuration).build().unwrap()
}

fn request(headers: &[(&'static str, &'static str)], caller: bool) -> Request<()> {
    let mut request = Request::get("/api/v1/namespaces/default/pods/a").body(()).unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, HeaderValue::from_static(value));
    }
    if caller {
        request.extensions_mut().insert(Caller { user: "me".into(), groups: vec!["system:authenticated".into()] });
    }
    request
}

/// How many allocations one request makes, once everything that is made once is made.
fn allocations(tracing: &Tracing, handler: Handler, headers: &[(&'static str, &'static str)]) -> u64 {
    let mut service = ServerLayer::new(tracing).layer(handler);
    let mut least = u64::MAX;
    for _ in 0..20 {
        let request = request(headers, true);
        let info = allocation_counter::measure(|| {
            let answer = pin!(service.call(request));
            let answer = answer.poll(&mut Context::from_waker(Waker::noop()));
            let _ = black_box(answer.is_ready());
        });
        least = least.min(info.count_total);
    }
    least
}

#[test]
fn an_unsampled_request_allocates_nothing() {
    let tracing = tracing(0);
    let full = [("traceparent", SAMPLED), ("tracestate", "a=1"), ("baggage", "k=v")];
    for headers in [&[][..], &full[..]] {
        assert_eq!(allocations(&tracing, Handler { spans: false }, headers), 0, "{headers:?}");
        assert_eq!(allocations(&tracing, Handler { spans: true }, headers), 0, "with spans below, {headers:?}");
    }
    assert_eq!(tracing.snapshot().started, 0);
}

#[test]
fn a_recorded_request_does_allocate_so_the_count_means_something() {
    let tracing = tracing(1_000_000);
    assert!(allocations(&tracing, Handler { spans: false }, &[]) > 0);
}
