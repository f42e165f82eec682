//! How long the codecs take that run for every line and every request: `cargo bench -p clew-model`.

use std::hint::black_box;

use clew_model::ids::{self, ChangeKey};
use clew_model::{Time, TraceContext, TraceState};
use criterion::{Criterion, criterion_group, criterion_main};

fn measure<T>(criterion: &mut Criterion, name: &str, mut work: impl FnMut() -> T) {
    criterion.bench_function(name, |bencher| bencher.iter(&mut work));
}

fn times(criterion: &mut Criterion) {
    let time = "2026-07-14T12:34:56.789012Z";
    measure(criterion, "read a time", || black_box(time).parse::<Time>());
    let offset = "2026-07-14T14:34:56.789012345+02:00";
    measure(criterion, "read a time with offset", || black_box(offset).parse::<Time>());
    let moment: Time = time.parse().expect("a time");
    measure(criterion, "write a time", || black_box(moment).to_string());
}

fn headers(criterion: &mut Criterion) {
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    measure(criterion, "read a traceparent", || TraceContext::parse_traceparent(black_box(parent)));
    let context = TraceContext::parse_traceparent(parent).expect("a context");
    measure(criterion, "write a traceparent", || black_box(&context).traceparent());
    let state = "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7";
    measure(criterion, "read a tracestate", || black_box(state).parse::<TraceState>());
}

fn deterministic_ids(criterion: &mut Criterion) {
    let uid = "0f0e7ad5-54a6-4d6f-9d2e-5d2c0a3b1c11";
    let journey = || ids::journey(black_box("prod"), black_box(uid), ChangeKey::Generation(black_box(7)));
    measure(criterion, "make a journey's id", journey);
    measure(criterion, "make a write's id", || ids::write_span(black_box(uid)));
}

criterion_group!(benches, times, headers, deterministic_ids);
criterion_main!(benches);
