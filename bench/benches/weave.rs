//! Facts per second through the weaver, on a hundred interleaved deployments; `scale` has the large numbers.

use clew_bench::{Burst, History, Schedule, Seed, Selection};
use clew_collect::capture::{Source, Sources};
use clew_weave::{Config, Weaver};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const DEPLOYMENTS: u32 = 100;

fn weave(criterion: &mut Criterion) {
    let sources = Sources::NONE.with(Source::Audit).with(Source::Watch);
    let seed = Seed::rollout(Selection { sources, alive: false }).expect("the capture is part of the repository");
    let schedule = seed.schedule(DEPLOYMENTS, Schedule::STAGGER);
    let bursts: Vec<Burst> = History::new(&seed, &schedule, Schedule::ADVANCE).collect();
    let facts: usize = bursts.iter().map(|burst| burst.facts.len()).sum();
    let mut group = criterion.benchmark_group("weave");
    group.throughput(Throughput::Elements(facts as u64)).sample_size(10);
    for (name, batch, advances) in
        [("take", usize::MAX, false), ("apply", Config::default().batch, false), ("apply_and_advance", 4096, true)]
    {
        let setup = || (Weaver::new(Config { batch, ..Config::default() }), copy(&bursts));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(setup, |(weaver, bursts)| run(weaver, bursts, advances), BatchSize::LargeInput);
        });
    }
    group.finish();
}

fn copy(bursts: &[Burst]) -> Vec<Burst> {
    bursts.iter().map(|burst| Burst { now: burst.now, facts: burst.facts.clone() }).collect()
}

/// Gives the weaver back, so that its end is not measured.
fn run(mut weaver: Weaver, bursts: Vec<Burst>, advances: bool) -> Weaver {
    for burst in bursts {
        for fact in burst.facts {
            weaver.apply(fact);
        }
        if advances {
            weaver.advance(burst.now);
        }
    }
    weaver
}

criterion_group!(benches, weave);
criterion_main!(benches);
