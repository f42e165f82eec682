//! The rules of the ledger, one by one.

use super::*;
use crate::live::{SourceKind, Sources};
use crate::watch::Resource;

const BEGAN: i64 = 1_000_000_000_000;

fn ledger() -> Ledger {
    Ledger { began: Time::from_nanos(BEGAN), most_objects: 100, ..Ledger::default() }
}

fn watched(group: &str, plural: &str) -> Watched {
    let source = Sources::default().of("c", SourceKind::Watch, plural);
    Watched::new(&Resource::new(group, "v1", plural), source)
}

fn seen(observed: Observed, uid: &str, version: u64) -> Observation {
    let created = Some(Time::from_nanos(BEGAN - 1));
    let state = ObjectState { uid: uid.into(), name: uid.into(), version, created, ..ObjectState::default() };
    Observation { time: Time::from_nanos(BEGAN), observed, state }
}

fn told(ledger: &mut Ledger, watched: &Watched, mut observation: Observation) -> Option<Observed> {
    ledger.observe(watched, &mut observation).then_some(observation.observed)
}

fn list(ledger: &mut Ledger, watched: &Watched, objects: &[(&str, u64)], version: &str) -> Vec<(String, Observed)> {
    ledger.begin_list(watched);
    let mut all = Vec::new();
    for (uid, at) in objects {
        let observed = told(ledger, watched, seen(Observed::Listed, uid, *at));
        all.extend(observed.map(|observed| ((*uid).to_owned(), observed)));
    }
    let gone = ledger.end_list(watched, version, Time::from_nanos(BEGAN));
    all.extend(gone.iter().map(|fact| match fact {
        Fact::Observation(gone) => (gone.state.uid.to_string(), gone.observed),
        other => panic!("{other:?} is no observation"),
    }));
    all
}

fn pairs(expected: &[(&str, Observed)]) -> Vec<(String, Observed)> {
    expected.iter().map(|(uid, observed)| ((*uid).to_owned(), *observed)).collect()
}

#[test]
fn a_list_after_a_gap_tells_what_happened_meanwhile_and_nothing_else() {
    let (mut ledger, pods) = (ledger(), watched("", "pods"));
    let first = list(&mut ledger, &pods, &[("same", 1), ("changed", 2), ("gone", 3)], "5");
    assert!(first.iter().all(|(_, observed)| *observed == Observed::Listed) && first.len() == 3);
    let second = list(&mut ledger, &pods, &[("same", 1), ("changed", 7), ("new", 8)], "9");
    let expected = [("changed", Observed::Modified), ("new", Observed::Added), ("gone", Observed::Deleted)];
    assert_eq!(second, pairs(&expected));
    assert!(list(&mut ledger, &pods, &[("same", 1), ("changed", 7), ("new", 8)], "9").is_empty());
    assert_eq!((ledger.objects, ledger.held(&pods.key)), (3, 3));
}

#[test]
fn the_watch_goes_on_where_it_was_but_only_after_a_whole_list() {
    let (mut ledger, pods) = (ledger(), watched("", "pods"));
    ledger.begin_list(&pods);
    told(&mut ledger, &pods, seen(Observed::Listed, "a", 1));
    assert_eq!(ledger.resume(&pods.key), None);
    ledger.end_list(&pods, "5", Time::default());
    assert_eq!(ledger.resume(&pods.key).as_deref(), Some("5"));
    told(&mut ledger, &pods, seen(Observed::Modified, "a", 6));
    assert_eq!(ledger.resume(&pods.key).as_deref(), Some("6"));
    ledger.reach(&pods, "9");
    told(&mut ledger, &pods, seen(Observed::Deleted, "a", 10));
    assert_eq!((ledger.resume(&pods.key).as_deref(), ledger.objects), (Some("10"), 0));
}

#[test]
fn what_was_made_after_the_watch_began_was_not_there_before() {
    let (mut ledger, things) = (ledger(), watched("example.com", "things"));
    ledger.begin_list(&things);
    let mut young = seen(Observed::Listed, "young", 2);
    young.state.created = Some(Time::from_nanos(BEGAN + 1));
    assert_eq!(told(&mut ledger, &things, young), Some(Observed::Added));
    assert_eq!(told(&mut ledger, &things, seen(Observed::Listed, "old", 1)), Some(Observed::Listed));
}

#[test]
fn beyond_the_limit_objects_are_told_but_not_remembered_and_nothing_is_invented() {
    let (mut ledger, pods) = (Ledger { most_objects: 1, ..ledger() }, watched("", "pods"));
    assert_eq!(list(&mut ledger, &pods, &[("a", 1), ("b", 2)], "5").len(), 2);
    assert_eq!(ledger.objects, 1);
    let again = list(&mut ledger, &pods, &[("a", 1), ("b", 2)], "6");
    assert_eq!(again, pairs(&[("b", Observed::Listed)]), "not taken for a new one, and not for a deleted one");
}

#[test]
fn objects_go_with_their_definition_and_not_before() {
    let mut ledger = ledger();
    let (things, definitions) =
        (watched("example.com", "things"), watched("apiextensions.k8s.io", "customresourcedefinitions"));
    list(&mut ledger, &things, &[("thing", 1)], "5");
    let found = BTreeSet::from([definitions.key.clone()]);
    assert!(ledger.discovered(&found, Time::default()).is_empty(), "nothing is known of definitions");
    list(&mut ledger, &definitions, &[("things.example.com", 2)], "5");
    assert!(ledger.discovered(&found, Time::default()).is_empty(), "it is defined, though not served");
    told(&mut ledger, &definitions, seen(Observed::Deleted, "things.example.com", 6));
    assert_eq!(ledger.discovered(&found, Time::default()).len(), 1);
    assert!(ledger.discovered(&found, Time::default()).is_empty());
    assert_eq!(ledger.objects, 0);
}

#[test]
fn a_version_that_is_no_number_is_kept_as_it_was_told() {
    let (mut ledger, odd) = (ledger(), watched("aggregated.example.com", "odd"));
    list(&mut ledger, &odd, &[("a", 0)], "opaque-5");
    told(&mut ledger, &odd, seen(Observed::Added, "b", 0));
    assert_eq!(ledger.resume(&odd.key).as_deref(), Some("opaque-5"), "0 would mean: from anywhere");
    ledger.reach(&odd, "opaque-6");
    told(&mut ledger, &odd, seen(Observed::Deleted, "b", 0));
    assert_eq!(ledger.resume(&odd.key).as_deref(), Some("opaque-6"));
}
