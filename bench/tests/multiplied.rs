//! The multiplied history is a valid one: what is measured on it can happen.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

use std::collections::{BTreeMap, BTreeSet};

use clew_bench::{History, Schedule, Seed, Selection, audit_lines};
use clew_collect::capture::{Source, Sources};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_model::Time;
use clew_weave::fact::{Effect, Fact};
use clew_weave::{Config, Journey, State, Weaver};

fn seed(sources: Sources) -> Seed {
    Seed::rollout(Selection { sources, alive: false }).unwrap()
}

fn both() -> Sources {
    Sources::NONE.with(Source::Audit).with(Source::Watch)
}

fn facts(copies: u32) -> Vec<Fact> {
    let seed = seed(both());
    let schedule = seed.schedule(copies, Schedule::STAGGER);
    History::new(&seed, &schedule, Schedule::ADVANCE).flat_map(|burst| burst.facts).collect()
}

/// The journeys of people, by namespace: each root with its state and the number of its writes.
fn journeys(copies: u32) -> BTreeMap<String, BTreeSet<(String, bool, usize)>> {
    let mut weaver = Weaver::new(Config { batch: usize::MAX, keep_converged: i64::MAX, ..Config::default() });
    for fact in facts(copies) {
        weaver.apply(fact);
    }
    let woven = weaver.advance(weaver.now()).journeys;
    let mut found: BTreeMap<String, BTreeSet<(String, bool, usize)>> = BTreeMap::new();
    for journey in woven.iter().filter(|journey| journey.root.user.starts_with("user")) {
        let Journey { root, state, writes, .. } = journey;
        let place = if root.namespace.is_empty() { &root.name } else { &root.namespace };
        let what = format!("{} {} {}", root.verb, root.resource, root.subresource);
        found.entry(place.to_string()).or_default().insert((what, *state == State::Converged, writes.len()));
    }
    found
}

#[test]
fn every_deployment_has_the_journeys_of_the_first() {
    let alone = journeys(1);
    let expected = &alone["shop-00000"];
    assert_eq!(expected.len(), 6, "six commands were recorded: {expected:?}");
    let found = journeys(5);
    assert_eq!(found.len(), 5);
    for (namespace, journeys) in &found {
        assert_eq!(journeys, expected, "{namespace}");
    }
}

#[test]
fn versions_grow_with_the_time_of_their_writes() {
    let mut written: Vec<(Time, Time, u64)> = Vec::new();
    let mut first_seen: BTreeMap<u64, Time> = BTreeMap::new();
    for fact in facts(4) {
        let (time, version) = match &fact {
            Fact::Observation(observation) => (observation.time, observation.state.version),
            Fact::Write(write) => match &write.effect {
                Effect::Object(state) => {
                    written.push((write.received, write.done, state.version));
                    (write.done, state.version)
                }
                Effect::Scaled { version, .. } => (write.done, *version),
                _ => continue,
            },
            _ => continue,
        };
        first_seen.entry(version).or_insert(time);
    }
    // A request that changes nothing is answered with an old version.
    written.retain(|(received, _, version)| first_seen[version] >= *received);
    written.sort_by_key(|(received, ..)| *received);
    // Requests that overlap may get their versions in any order.
    let ordered = |(one, other): (&(Time, Time, u64), &(Time, Time, u64))| one.1 >= other.0 || one.2 <= other.2;
    let pairs = written.iter().zip(written.iter().skip(1));
    assert_eq!(pairs.filter(|pair| !ordered(*pair)).count(), 0);
    assert!(written.len() > 800, "{}", written.len());
}

#[test]
fn the_audit_lines_of_a_copy_tell_what_its_facts_tell() {
    let seed = seed(Sources::NONE.with(Source::Audit));
    let schedule = seed.schedule(3, Schedule::STAGGER);
    let reader = Decoder::new(Redactor::new([7; 32]));
    let mut facts = Vec::new();
    for line in audit_lines(&seed, &schedule, 0..3) {
        reader.line(Source::Audit, &line, &mut facts).unwrap();
    }
    let told: BTreeSet<String> = facts.iter().filter_map(told_of).collect();
    let varied = History::new(&seed, &schedule, Schedule::ADVANCE).flat_map(|burst| burst.facts);
    let varied: BTreeSet<String> = varied.filter_map(|fact| told_of(&fact)).collect();
    assert_eq!(told, varied);
    assert!(told.len() > 800, "{}", told.len());
}

/// What a write in a copied namespace tells, without what is hashed or kept as text.
fn told_of(fact: &Fact) -> Option<String> {
    let Fact::Write(write) = fact else { return None };
    if !write.target.namespace.starts_with("shop") {
        return None;
    }
    let shown = match &write.effect {
        Effect::Object(state) => format!("{} {} {:?}", state.uid, state.version, state.created),
        Effect::Scaled { uid, version, .. } => format!("{uid} {version}"),
        _ => String::new(),
    };
    let (target, actor) = (&write.target, &write.actor);
    let when = format!("{} {}", write.received, write.done);
    Some(format!("{} {when} {} {}/{} {:?} {shown}", write.audit, actor.user, target.namespace, target.name, target.uid))
}
