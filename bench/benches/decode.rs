//! Audit JSON decoded per second, beside what only reading the JSON costs.

use std::hint::black_box;

use clew_bench::{Schedule, Seed, Selection, audit_lines};
use clew_collect::capture::{Source, Sources};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::de::IgnoredAny;

const DEPLOYMENTS: u32 = 8;

fn decode(criterion: &mut Criterion) {
    let sources = Sources::NONE.with(Source::Audit);
    let seed = Seed::rollout(Selection { sources, alive: false }).expect("the capture is part of the repository");
    let lines = audit_lines(&seed, &seed.schedule(DEPLOYMENTS, Schedule::STAGGER), 0..DEPLOYMENTS);
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    let mut group = criterion.benchmark_group("audit");
    group.throughput(Throughput::Bytes(bytes as u64)).sample_size(20);
    group.bench_function("decode", |bencher| bencher.iter(|| facts(&lines)));
    group.bench_function("limit_scan", |bencher| {
        bencher.iter(|| lines.iter().filter(|line| serde_json::from_slice::<IgnoredAny>(line).is_ok()).count());
    });
    group.bench_function("limit_value", |bencher| {
        let values = || lines.iter().filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
        bencher.iter(|| values().for_each(|value| drop(black_box(value))));
    });
    group.finish();
}

/// Decodes all lines; each line's facts are dropped before the next is read.
fn facts(lines: &[Box<[u8]>]) -> usize {
    let decoder = Decoder::new(Redactor::new([7; 32]));
    let mut facts = Vec::new();
    let mut count = 0;
    for line in lines {
        decoder.line(Source::Audit, line, &mut facts).expect("every line of the capture is valid");
        count += facts.len();
        facts.clear();
    }
    count
}

criterion_group!(benches, decode);
criterion_main!(benches);
