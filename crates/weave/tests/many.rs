//! A namespace with many pods, deleted at once.

mod common;

use clew_weave::fact::{Effect, Fact, ObjectState, Observed, Verb};
use clew_weave::{Config, Journey, State, Weaver};
use common::{at, object, seen, waiting, write};

const PODS: u32 = 500;
const ASKED: i64 = 20_000;

fn pod(number: u32, version: u32) -> ObjectState {
    let mut pod = waiting(object("pods", "Pod", &format!("pod-{number}"), version.into()), "Unschedulable", "no nodes");
    pod.namespace = "many".into();
    pod.content = 1;
    pod.spec = 1;
    pod
}

fn namespace(version: u64) -> ObjectState {
    let mut namespace = object("namespaces", "Namespace", "many", version);
    namespace.namespace = "".into();
    namespace
}

/// A write with another effect than its verb has by default.
fn with_effect(fact: Fact, effect: Effect) -> Fact {
    let Fact::Write(mut write) = fact else { return fact };
    write.effect = effect;
    Fact::Write(write)
}

/// What became of the deletion when these facts had come.
fn deletion(weaver: &mut Weaver, facts: Vec<Fact>) -> Option<Journey> {
    for fact in facts {
        weaver.apply(fact);
    }
    let upserts = weaver.advance(weaver.now());
    upserts.journeys.into_iter().find(|journey| journey.root.resource == "namespaces" && journey.root.verb == "delete")
}

#[test]
fn all_pods_of_a_namespace_go_in_the_journey_of_its_deletion() {
    let mut weaver = Weaver::new(Config::default());
    let mut facts = vec![write(0, "alice", Verb::Create, "", &namespace(5))];
    for number in 0..PODS {
        let (ms, version) = (1000 + 5 * i64::from(number), 1000 + 2 * number);
        facts.push(write(ms, "alice", Verb::Create, "", &pod(number, version)));
        facts.push(write(ms + 2, "system:kube-scheduler", Verb::Patch, "status", &pod(number, version + 1)));
    }
    assert!(deletion(&mut weaver, facts).is_none());

    let mut going = namespace(10_000);
    going.deleting = Some(at(ASKED));
    let asked = write(ASKED, "alice", Verb::Delete, "", &namespace(9_999));
    let mut facts = vec![with_effect(asked, Effect::Object(Box::new(going)))];
    facts.extend((0..PODS).map(|number| seen(ASKED + 100, Observed::Deleted, &pod(number, 20_000 + number))));
    let open = deletion(&mut weaver, facts).unwrap();
    assert_eq!((open.state, open.objects.len()), (State::Open, PODS as usize + 1));

    // The audit log tells of one request for all of them, after its end.
    let removed: Vec<ObjectState> = (0..PODS).map(|number| pod(number, 1001 + 2 * number)).collect();
    let collection = write(ASKED + 50, "namespace-controller", Verb::DeleteCollection, "", &removed[0]);
    let gone = seen(ASKED + 300, Observed::Deleted, &namespace(30_000));
    let done = deletion(&mut weaver, vec![with_effect(collection, Effect::Deleted(removed)), gone]).unwrap();
    assert_eq!((done.state, done.objects.len()), (State::Converged, PODS as usize + 1));
    assert_eq!(done.writes.len(), 2, "the deletion of the namespace, and one of all pods");
}
