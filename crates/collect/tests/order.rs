//! Journeys depend on the set of facts alone: not on their order, on repetition, on batches or on a restart.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clew_collect::capture::{BadLines, Capture, ReadOptions, Sources};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_weave::fact::Fact;
use clew_weave::{Config, Journey, Upserts, Weaver};

fn facts(capture: &str, sources: &str) -> Vec<Fact> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../captures").join(capture);
    let capture = Capture::open(path).unwrap();
    let decoder = Decoder::new(Redactor::new([7; 32]));
    let sources: Sources = sources.parse().unwrap();
    let mut facts = Vec::new();
    capture.read(&ReadOptions { sources, ..ReadOptions::default() }, &mut BadLines::default(), &mut |line, _| {
        decoder.line(line.source, line.bytes, &mut facts).unwrap();
        ControlFlow::Continue(())
    });
    facts
}

fn config(batch: usize) -> Config {
    Config { batch, keep_converged: i64::MAX, keep_segments: i64::MAX, ..Config::default() }
}

/// What a reader of the weaver's output holds in the end: the newest version of every journey.
#[derive(Default)]
struct Reader(BTreeMap<String, serde_json::Value>);

impl Reader {
    fn take(&mut self, upserts: Upserts) {
        for retired in upserts.retired {
            self.0.remove(&retired.to_string());
        }
        for journey in upserts.journeys {
            self.0.insert(journey.journey.to_string(), told(&journey));
        }
    }
}

fn told(journey: &Journey) -> serde_json::Value {
    serde_json::to_value(journey).unwrap()
}

fn weave(facts: impl IntoIterator<Item = Fact>, batch: usize) -> BTreeMap<String, serde_json::Value> {
    let mut weaver = Weaver::new(config(batch));
    let mut reader = Reader::default();
    for (count, fact) in facts.into_iter().enumerate() {
        weaver.apply(fact);
        if (count + 1) % batch == 0 {
            reader.take(weaver.advance(weaver.now()));
        }
    }
    reader.take(weaver.advance(weaver.now()));
    reader.0
}

/// A reproducible shuffle.
fn shuffled(mut facts: Vec<Fact>, seed: u64) -> Vec<Fact> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for at in (1..facts.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = usize::try_from(state % (at as u64 + 1)).unwrap();
        facts.swap(at, other);
    }
    facts
}

fn assert_same(expected: &BTreeMap<String, serde_json::Value>, got: &BTreeMap<String, serde_json::Value>, how: &str) {
    let mut wrong = Vec::new();
    for (id, journey) in expected {
        let Some(other) = got.get(id) else {
            wrong.push(format!("missing {id} {}", journey["root"]));
            continue;
        };
        for (field, value) in journey.as_object().unwrap() {
            if &other[field] != value {
                let (only, extra) = (without(value, &other[field]), without(&other[field], value));
                wrong.push(format!("{id} {} {field}:\n    only {only}\n    extra {extra}", journey["root"]["name"]));
            }
        }
    }
    for id in got.keys().filter(|id| !expected.contains_key(*id)) {
        wrong.push(format!("extra {id} {}", got[id]["root"]));
    }
    let shown: Vec<String> = wrong.iter().take(6).map(|line| line.chars().take(900).collect()).collect();
    assert!(wrong.is_empty(), "{how}: {} differences\n{}", wrong.len(), shown.join("\n"));
}

/// A list without what another list has too; anything else as it is.
fn without(value: &serde_json::Value, other: &serde_json::Value) -> serde_json::Value {
    match (value.as_array(), other.as_array()) {
        (Some(items), Some(others)) => items.iter().filter(|item| !others.contains(item)).cloned().collect(),
        _ => value.clone(),
    }
}

const CAPTURES: [&str; 13] = [
    "rollout", "broken", "operator", "busy", "people", "kopf", "shell", "rollback", "drain", "flux", "rollouts",
    "certs", "argocd",
];

#[test]
fn shuffled_facts_give_the_same_journeys() {
    for capture in CAPTURES {
        for sources in ["audit", "watch", "audit,watch"] {
            let facts = facts(capture, sources);
            let expected = weave(facts.clone(), usize::MAX);
            for seed in 1..=3 {
                let got = weave(shuffled(facts.clone(), seed), usize::MAX);
                assert_same(&expected, &got, &format!("{capture} from {sources}, seed {seed}"));
            }
        }
    }
}

#[test]
fn shuffled_facts_in_small_batches_give_the_same_journeys() {
    for capture in CAPTURES {
        let facts = facts(capture, "audit,watch");
        let expected = weave(facts.clone(), usize::MAX);
        for (seed, batch) in [(4, 50), (5, 17), (6, 400)] {
            let got = weave(shuffled(facts.clone(), seed), batch);
            assert_same(&expected, &got, &format!("{capture}, seed {seed}, batches of {batch}"));
        }
    }
}

#[test]
fn native_spans_may_come_when_they_like() {
    let facts = facts("rollout", "audit,watch,otlp");
    let expected = weave(facts.clone(), usize::MAX);
    assert!(expected.values().any(|journey| !journey["segments"].as_array().unwrap().is_empty()));
    let got = weave(shuffled(facts, 7), 500);
    assert_same(&expected, &got, "rollout with native spans");
}

#[test]
fn a_fact_twice_changes_nothing() {
    for capture in CAPTURES {
        let facts = facts(capture, "audit,watch");
        let expected = weave(facts.clone(), usize::MAX);
        let twice = facts.iter().cloned().chain(facts.iter().cloned());
        assert_same(&expected, &weave(twice, 100), capture);
    }
}

#[test]
fn late_audit_moves_nothing() {
    for capture in CAPTURES {
        let expected = weave(facts(capture, "audit,watch"), usize::MAX);
        let mut late = facts(capture, "watch");
        late.extend(facts(capture, "audit"));
        assert_same(&expected, &weave(late, 100), capture);
    }
}

#[test]
fn a_restart_from_a_snapshot_gives_the_same_journeys() {
    for capture in CAPTURES {
        let facts = facts(capture, "audit,watch");
        let expected = weave(facts.clone(), usize::MAX);
        let mut weaver = Weaver::new(config(usize::MAX));
        let mut reader = Reader::default();
        for (at, fact) in facts.into_iter().enumerate() {
            weaver.apply(fact);
            if at % 97 == 0 {
                reader.take(weaver.advance(weaver.now()));
                let snapshot = postcard::to_allocvec(&weaver).unwrap();
                weaver = postcard::from_bytes(&snapshot).unwrap();
            }
        }
        reader.take(weaver.advance(weaver.now()));
        assert_same(&expected, &reader.0, capture);
    }
}

#[test]
fn forgetting_meanwhile_leaves_no_dangling_step() {
    for capture in CAPTURES {
        let in_order = facts(capture, "audit,watch");
        for (seed, batch) in [(8, 20), (9, 7)] {
            let short = Config { keep_converged: 1_000_000_000, keep_segments: 1_000_000_000, ..config(usize::MAX) };
            let mut weaver = Weaver::new(short);
            for (count, fact) in shuffled(in_order.clone(), seed).into_iter().enumerate() {
                weaver.apply(fact);
                if count % batch == 0 {
                    weaver.advance(weaver.now());
                }
            }
            weaver.advance(weaver.now().saturating_add(3_600_000_000_000));
            let stats = weaver.stats();
            assert!(stats.steps < in_order.len() / 2, "{capture}: {stats:?}");
        }
    }
}
