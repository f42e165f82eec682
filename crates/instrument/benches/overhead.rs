//! What tracing costs its caller, beside the bare OpenTelemetry SDK for Rust doing the same in the same run.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark that cannot be set up must fail")]

mod sdk;

use clew_instrument::export::{Batch, Exported, from_fn};
use clew_instrument::http::ServerLayer;
use clew_instrument::{Batching, Environment, Tracing, TracingConfiguration, attr, start};
use criterion::{Criterion, criterion_group, criterion_main};
use http::{HeaderValue, Request, Response};
use rustix::time::{ClockId, clock_gettime};
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tower::{Layer, Service};

/// Spans between two flushes: they fit the queue, so nothing is dropped while the clock runs.
const ROUND: u64 = 1000;
const LONG_ROUND: u64 = 20_000;
const QUEUE: usize = 32_768;
/// Requests that are made at once.
const REQUESTS: u64 = 128;
const FLUSH: Duration = Duration::from_secs(30);
const UNSAMPLED: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

/// The smallest handler.
#[derive(Clone)]
struct Handler;

impl Service<Request<()>> for Handler {
    type Response = Response<()>;
    type Error = Infallible;
    type Future = Ready<Result<Response<()>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<()>) -> Self::Future {
        black_box(&request);
        ready(Ok(Response::new(())))
    }
}

fn request() -> Request<()> {
    let mut request = Request::get("/api/v1/namespaces/default/pods/a").body(()).unwrap();
    request.headers_mut().insert("traceparent", HeaderValue::from_static(UNSAMPLED));
    request
}

fn ours(rate: i32) -> Tracing {
    let configuration = TracingConfiguration { sampling_rate_per_million: Some(rate), ..Default::default() };
    let batching = Batching { queue: QUEUE, ..Batching::default() };
    let exporter = from_fn("nowhere", |batch: &Batch| {
        black_box(batch);
        Ok(Exported::default())
    });
    let builder = Tracing::builder("bench").environment(Environment::default()).exporter(exporter).batching(batching);
    builder.configuration(configuration).build().unwrap()
}

fn answer<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the handler answers at once"),
    }
}

/// The processor time that this thread has used.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}

/// Times only the calls, in processor time of this thread: requests are made beforehand, few at a time so that they stay in cache.
fn time_requests(count: u64, mut call: impl FnMut(Request<()>)) -> Duration {
    let mut total = Duration::ZERO;
    let mut left = count;
    while left > 0 {
        let round = left.min(REQUESTS);
        let requests: Vec<Request<()>> = (0..round).map(|_| request()).collect();
        let began = thread_time();
        for request in requests {
            call(request);
        }
        total += thread_time().saturating_sub(began);
        left -= round;
    }
    total
}

fn unsampled_request(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("unsampled_request");
    group.bench_function("no_tracing", |bencher| {
        let mut service = Handler;
        bencher.iter_custom(|count| time_requests(count, |request| drop(black_box(answer(service.call(request))))));
    });
    let tracing = ours(0);
    group.bench_function("clew", |bencher| {
        let mut service = ServerLayer::new(&tracing).layer(Handler);
        bencher.iter_custom(|count| time_requests(count, |request| drop(black_box(answer(service.call(request))))));
    });
    group.bench_function("clew_with_a_span_and_steps_below", |bencher| {
        let mut service = ServerLayer::new(&tracing).layer(tower::service_fn(|request: Request<()>| {
            black_box(&request);
            let span = start("Create", [attr("audit-id", "4711"), attr("len", 5)]);
            span.event("Write to database call succeeded", []);
            span.end_with_threshold(Duration::from_millis(500));
            ready(Ok::<_, Infallible>(Response::new(())))
        }));
        bencher.iter_custom(|count| time_requests(count, |request| drop(black_box(answer(service.call(request))))));
    });
    let bare = sdk::Sdk::unsampled();
    group.bench_function("bare_sdk", |bencher| {
        bencher.iter_custom(|count| time_requests(count, |request| bare.request(&request)));
    });
    group.finish();
}

/// One span as a component makes it: below the current one, four attributes, one event.
fn our_span() {
    let attributes = [attr("a", "text"), attr("b", 1), attr("c", true), attr("d", String::from("dynamic"))];
    let span = start("Create etcd3", attributes);
    span.event("Txn call succeeded", [attr("len", 5)]);
    span.end();
}

/// Times rounds of spans by a closure that gives a round's time; the flush between them is not timed.
fn time_rounds(count: u64, longest: u64, mut emit: impl FnMut(u64) -> Duration, mut flush: impl FnMut()) -> Duration {
    let mut total = Duration::ZERO;
    let mut left = count;
    while left > 0 {
        let round = left.min(longest);
        total += emit(round);
        flush();
        left -= round;
    }
    total
}

/// The processor time of this thread for a number of spans: what the caller pays, whatever else the machine does.
fn processor_time(count: u64, emit: impl Fn()) -> Duration {
    let began = thread_time();
    (0..count).for_each(|_| emit());
    thread_time().saturating_sub(began)
}

fn sampled_span(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sampled_span");
    let tracing = ours(1_000_000);
    group.bench_function("clew", |bencher| {
        let root = tracing.start_root("request", []);
        let _current = root.enter();
        let emit = |count| processor_time(count, our_span);
        bencher.iter_custom(|count| time_rounds(count, ROUND, emit, || assert!(tracing.flush(FLUSH))));
    });
    let bare = sdk::Sdk::sampled();
    group.bench_function("bare_sdk", |bencher| {
        let _current = bare.enter_root();
        let emit = |count| processor_time(count, || bare.span());
        bencher.iter_custom(|count| time_rounds(count, ROUND, emit, || bare.flush()));
    });
    group.finish();
    assert_eq!(tracing.snapshot().ledger.dropped_total(), 0, "nothing was dropped while the clock ran");
}

/// The processor time of two threads that emit half of a round each, at the same time.
fn two_threads(count: u64, emit: impl Fn() + Sync, flush: impl FnMut()) -> Duration {
    let round = |round: u64| {
        std::thread::scope(|scope| {
            let halves = [round / 2, round - round / 2].map(|half| {
                scope.spawn({
                    let emit = &emit;
                    move || processor_time(half, emit)
                })
            });
            halves.into_iter().map(|half| half.join().unwrap()).sum()
        })
    };
    time_rounds(count, LONG_ROUND, round, flush)
}

fn contention(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sampled_span_two_threads");
    let tracing = ours(1_000_000);
    group.bench_function("clew", |bencher| {
        let emit = || tracing.start_root("Create", [attr("a", "text"), attr("b", 1)]).end();
        bencher.iter_custom(|count| two_threads(count, emit, || assert!(tracing.flush(FLUSH))));
    });
    let bare = sdk::Sdk::sampled();
    group.bench_function("bare_sdk", |bencher| {
        bencher.iter_custom(|count| two_threads(count, || bare.root_span(), || bare.flush()));
    });
    group.finish();
    assert_eq!(tracing.snapshot().ledger.dropped_total(), 0, "nothing was dropped while the clock ran");
}

criterion_group!(benches, unsampled_request, sampled_span, contention);
criterion_main!(benches);
