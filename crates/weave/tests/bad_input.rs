//! Whatever a source says, the weaver goes on, loses nothing silently and stays bounded.

mod common;

use clew_weave::fact::{Effect, Fact, Observed, Owner, Uid, Verb};
use clew_weave::{Config, State, Weaver};
use common::{at, journeys, object, owned, seen, warning, woven, write};

#[test]
fn a_circle_of_owners_ends() {
    let mut one = object("things", "Thing", "one", 10);
    let mut two = object("things", "Thing", "two", 11);
    let reference = |uid: &Uid| Owner {
        uid: uid.clone(),
        kind: "Thing".into(),
        group: "".into(),
        name: "x".into(),
        controller: true,
    };
    one.owners.push(reference(&two.uid));
    two.owners.push(reference(&one.uid));
    let mut own = object("things", "Thing", "own", 12);
    own.owners.push(reference(&own.uid.clone()));
    let facts = [&one, &two, &own].map(|state| write(10, "operator", Verb::Create, "", state));
    let found = journeys(facts);
    assert_eq!(found.iter().map(|journey| journey.writes.len()).sum::<usize>(), 3);
}

#[test]
fn a_long_chain_of_owners_is_one_journey_as_far_as_it_is_followed() {
    let mut facts = Vec::new();
    let mut above = object("things", "Thing", "t0", 10);
    facts.push(write(0, "alice", Verb::Create, "", &above));
    for depth in 1..1_000 {
        let state = owned(object("things", "Thing", &format!("t{depth}"), 10 + depth), &above);
        facts.push(write(i64::try_from(depth).unwrap() * 10, "operator", Verb::Create, "", &state));
        above = state;
    }
    let mut weaver = Weaver::new(Config::default());
    let upserts = woven(&mut weaver, facts, None);
    let placed: usize = upserts.journeys.iter().map(|journey| journey.writes.len()).sum();
    assert_eq!(placed + weaver.stats().unplaced, 1_000);
}

#[test]
fn a_name_that_is_used_again_is_another_object() {
    let first = object("pods", "Pod", "db-0", 10);
    let mut second = object("pods", "Pod", "db-0", 30);
    second.uid = Uid::new("another");
    second.created = Some(at(2_000));
    let found = journeys([
        write(0, "alice", Verb::Create, "", &first),
        write(1_000, "alice", Verb::Delete, "", &first),
        write(2_000, "alice", Verb::Create, "", &second),
    ]);
    assert_eq!(found.len(), 3);
    assert_ne!(found[0].journey, found[2].journey);
}

#[test]
fn a_write_without_a_uid_waits_for_its_object() {
    let pod = object("pods", "Pod", "web-1", 10);
    let Fact::Write(mut eviction) = write(50, "alice", Verb::Create, "eviction", &pod) else { unreachable!() };
    eviction.target.uid = None;
    let mut named = pod.clone();
    named.uid = Uid::default();
    named.version = 0;
    eviction.effect = Effect::Deleted(vec![named]);
    let created = write(0, "alice", Verb::Create, "", &pod);
    for facts in [vec![Fact::Write(eviction.clone()), created.clone()], vec![created, Fact::Write(eviction)]] {
        let found = journeys(facts);
        assert_eq!(found.len(), 2, "a creation and a deletion");
        assert_eq!(found[1].objects[0].uid, pod.uid);
    }
}

#[test]
fn an_event_may_come_before_its_object() {
    let pod = object("pods", "Pod", "web-1", 10);
    let found = journeys([warning(20, &pod, "Failed", "early"), write(0, "alice", Verb::Create, "", &pod)]);
    assert_eq!(found[0].state, State::Converged);
}

#[test]
fn clocks_that_disagree_lose_no_write() {
    let parent = object("heads", "Head", "one", 10);
    let child = owned(object("parts", "Part", "one-a", 11), &parent);
    let facts = [
        write(60_000, "alice", Verb::Create, "", &parent),
        write(0, "operator", Verb::Create, "", &child),
        seen(-30_000, Observed::Added, &parent),
    ];
    let found = journeys(facts);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].writes.len(), 2);
}

#[test]
fn unknown_kinds_and_empty_names_are_objects_like_others() {
    let mut nameless = object("", "", "", 10);
    nameless.uid = Uid::new("x");
    assert_eq!(journeys([write(0, "alice", Verb::Create, "", &nameless)]).len(), 1);
}

#[test]
fn far_away_times_do_not_overflow() {
    let state = object("configmaps", "ConfigMap", "one", 10);
    let mut weaver = Weaver::new(Config::default());
    woven(&mut weaver, [write(0, "alice", Verb::Create, "", &state)], Some(clew_model::Time::MAX));
    weaver.advance(clew_model::Time::MIN);
    assert_eq!(weaver.now(), clew_model::Time::MAX);
}
