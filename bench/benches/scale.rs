//! The weaver's cost per fact as the number of deployments grows: it must not.
//!
//! `cargo bench -p clew-bench --bench scale -- 100 1000 10000` names the numbers of deployments; `take`, `apply`
//! or `advance` beside them leaves out the other work, `--native` adds the native spans, and
//! `--crowded` lets ten times as many deployments begin in the same time.

use clew_bench::{History, Schedule, Seed, Selection, Stopwatch};
use clew_collect::capture::{Source, Sources};
use clew_model::Time;
use clew_weave::fact::Fact;
use clew_weave::{Config, Stats, Weaver};

/// What the weaver is asked to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Take facts, and look for no causes.
    Take,
    /// Take facts, and look for causes whenever a batch is full.
    Apply,
    /// The same, and give out what changed four times a second.
    Advance,
}

impl Work {
    const ALL: [Self; 3] = [Self::Take, Self::Apply, Self::Advance];

    fn name(self) -> &'static str {
        match self {
            Self::Take => "take",
            Self::Apply => "apply",
            Self::Advance => "advance",
        }
    }
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named: Vec<u32> = arguments.iter().filter_map(|text| text.parse().ok()).collect();
    let sizes = if named.is_empty() { vec![100, 1_000, 10_000] } else { named };
    let mut sources = Sources::NONE.with(Source::Audit).with(Source::Watch);
    if arguments.iter().any(|text| text == "--native") {
        sources = sources.with(Source::Otlp);
    }
    let seed = Seed::rollout(Selection { sources, alive: false })?;
    let crowded = arguments.iter().any(|text| text == "--crowded");
    let stagger = if crowded { Schedule::STAGGER / 10 } else { Schedule::STAGGER };
    let works: Vec<Work> = Work::ALL.into_iter().filter(|work| asks_for(&arguments, *work)).collect();
    println!("deployments      facts       work    facts/s  µs/fact   journeys    objects      steps");
    for size in sizes {
        let schedule = seed.schedule(size, stagger);
        for work in &works {
            let Run { stats, watch } = run(&seed, &schedule, *work);
            #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^52 facts")]
            let per_second = stats.facts as f64 / watch.seconds();
            let Stats { facts, journeys, objects, steps, .. } = stats;
            let (name, micros) = (work.name(), 1e6 / per_second);
            println!(
                "{size:>11} {facts:>10} {name:>10} {per_second:>10.0} {micros:>8.2} {journeys:>10} {objects:>10} {steps:>10}"
            );
        }
    }
    Ok(())
}

/// All work is done unless some of it is named.
fn asks_for(arguments: &[String], work: Work) -> bool {
    let names = |work: &Work| arguments.iter().any(|text| text == work.name());
    names(&work) || !Work::ALL.iter().any(names)
}

struct Run {
    stats: Stats,
    watch: Stopwatch,
}

fn run(seed: &Seed, schedule: &Schedule, work: Work) -> Run {
    let batch = if work == Work::Take { usize::MAX } else { Config::default().batch };
    let mut weaver = Weaver::new(Config { batch, ..Config::default() });
    let mut watch = Stopwatch::default();
    for burst in History::new(seed, schedule, Schedule::ADVANCE) {
        watch.time(|| give(&mut weaver, burst.facts, (work == Work::Advance).then_some(burst.now)));
    }
    Run { stats: weaver.stats(), watch }
}

fn give(weaver: &mut Weaver, facts: Vec<Fact>, now: Option<Time>) {
    for fact in facts {
        weaver.apply(fact);
    }
    if let Some(now) = now {
        weaver.advance(now);
    }
}
