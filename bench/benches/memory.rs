//! The weaver's live state per tracked object: with all journeys in memory, and once the converged ones have left it.
//!
//! `cargo bench -p clew-bench --bench memory -- 10000` names the number of deployments.

use clew_bench::{History, Schedule, Seed, Selection};
use clew_collect::capture::{Source, Sources};
use clew_weave::{Config, Weaver};

fn main() -> anyhow::Result<()> {
    let named = std::env::args().skip(1).find_map(|text| text.parse().ok());
    let copies = named.unwrap_or(10_000);
    let sources = Sources::NONE.with(Source::Audit).with(Source::Watch);
    println!("capture      memory               deployments    objects      steps        bytes  bytes/object");
    for alive in [true, false] {
        let seed = Seed::rollout(Selection { sources, alive })?;
        let capture = if alive { "until deletion" } else { "whole" };
        for keep in [true, false] {
            let memory = if keep { "all journeys held" } else { "converged forgotten" };
            let (weaver, bytes) = measure(&seed, copies, keep);
            let stats = weaver.stats();
            let objects = stats.objects as u64;
            println!(
                "{capture:<14} {memory:<20} {copies:>9} {objects:>10} {:>10} {bytes:>12} {:>13}",
                stats.steps,
                bytes / objects.max(1)
            );
        }
    }
    Ok(())
}

/// A weaver after all deployments, and the bytes that it holds.
fn measure(seed: &Seed, copies: u32, keep: bool) -> (Weaver, u64) {
    let mut weaver = Weaver::new(Config { keep_converged: i64::MAX, ..Config::default() });
    if !keep {
        weaver = Weaver::new(Config::default());
    }
    let schedule = seed.schedule(copies, Schedule::STAGGER);
    let counted = allocation_counter::measure(|| {
        let mut now = schedule.begin();
        for burst in History::new(seed, &schedule, Schedule::ADVANCE) {
            for fact in burst.facts {
                weaver.apply(fact);
            }
            now = burst.now;
            weaver.advance(now);
        }
        if !keep {
            let later = now.saturating_add(2 * Config::default().keep_converged);
            weaver.advance(later);
        }
    });
    (weaver, counted.bytes_current.unsigned_abs())
}
