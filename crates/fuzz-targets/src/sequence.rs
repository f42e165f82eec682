//! Sequences of facts through the weaver.

use std::collections::BTreeMap;

use clew_collect::capture::Source;
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_model::TraceId;
use clew_weave::fact::Fact;
use clew_weave::{Config, Journey, Weaver};

/// Between two lines of a sequence, since JSON may hold line ends.
const SEPARATOR: u8 = 0x1e;
/// Longer sequences find nothing that shorter ones do not.
const MAX_LINES: usize = 64;

/// Lines that begin with `a` (audit), `w` (watch) or `o` (OTLP): no sequence stops the weaver, and the same facts
/// give the same journeys when they come again, each of them twice. Nor does forgetting between any two of them.
pub fn weave_sequence(data: &[u8]) {
    let facts = facts(data);
    forget_between(facts.clone());
    let once = journeys(facts.clone());
    let twice = facts.into_iter().flat_map(|fact| [fact.clone(), fact]);
    assert_eq!(once, journeys(twice.collect()), "the same facts twice gave other journeys");
}

fn facts(data: &[u8]) -> Vec<Fact> {
    let decoder = Decoder::new(Redactor::new([7; 32]));
    let mut facts = Vec::new();
    for line in data.split(|byte| *byte == SEPARATOR).take(MAX_LINES) {
        let source = match line.first() {
            Some(b'a') => Source::Audit,
            Some(b'w') => Source::Watch,
            Some(b'o') => Source::Otlp,
            _ => continue,
        };
        // A line that is refused gives no facts, which is all that matters here.
        let _ = decoder.line(source, &line[1..], &mut facts);
    }
    facts
}

fn journeys(facts: Vec<Fact>) -> BTreeMap<TraceId, Journey> {
    let mut weaver = Weaver::new(Config::default());
    for fact in facts {
        weaver.apply(fact);
    }
    let upserts = weaver.advance(weaver.now());
    let mut journeys: BTreeMap<_, _> = upserts.journeys.into_iter().map(|journey| (journey.journey, journey)).collect();
    for retired in upserts.retired {
        journeys.remove(&retired);
    }
    journeys
}

/// A weaver that forgets at once: what still names a forgotten step would stop it.
fn forget_between(facts: Vec<Fact>) {
    let config = Config { stuck_after: 1, keep_converged: 0, keep_segments: 0, batch: 1, ..Config::default() };
    let mut weaver = Weaver::new(config);
    for fact in facts {
        weaver.apply(fact);
        weaver.advance(weaver.now().saturating_add(1));
    }
    weaver.advance(weaver.now().saturating_add(1_000_000_000));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_give_journeys_in_any_order() {
        for seed in include_str!("../seeds/weave_sequence.txt").lines() {
            let facts = facts(seed.as_bytes());
            let forward = journeys(facts.clone());
            assert!(!forward.is_empty());
            assert_eq!(forward, journeys(facts.into_iter().rev().collect()));
        }
    }
}
