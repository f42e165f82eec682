//! Facts in few words, for tests that tell a small story.
#![allow(dead_code, reason = "each test uses a part of it")]

use clew_model::Time;
use clew_weave::fact::{
    Actor, Effect, Fact, Kind, KubeEvent, Manager, ObjectState, Observation, Observed, Owner, Progress, Reason, Target,
    Uid, Verb, Write,
};
use clew_weave::{Config, Journey, Upserts, Weaver};

/// Milliseconds into the story.
pub(crate) fn at(ms: i64) -> Time {
    Time::from_nanos(1_800_000_000_000_000_000 + ms * 1_000_000)
}

/// An object of a kind, converged, with its name as its UID.
pub(crate) fn object(resource: &str, kind: &str, name: &str, version: u64) -> ObjectState {
    ObjectState {
        kind: Kind { resource: resource.into(), kind: kind.into(), ..Kind::default() },
        namespace: "shop".into(),
        name: name.into(),
        uid: Uid::new(&format!("{resource}-{name}")),
        version,
        content: version,
        spec: version,
        progress: Progress::Current,
        ..ObjectState::default()
    }
}

/// The same object with an owner.
pub(crate) fn owned(mut state: ObjectState, owner: &ObjectState) -> ObjectState {
    state.owners.push(Owner {
        uid: owner.uid.clone(),
        kind: owner.kind.kind.clone(),
        group: owner.kind.group.clone(),
        name: owner.name.clone(),
        controller: true,
    });
    state
}

/// The same object, with those who wrote it as managedFields tell.
pub(crate) fn managed(mut state: ObjectState, managers: &[&str]) -> ObjectState {
    let entry = |name: &&str| Manager { name: (*name).into(), subresource: "".into(), time: at(0) };
    state.managers = managers.iter().map(entry).collect();
    state
}

/// The same object, not there yet.
pub(crate) fn waiting(mut state: ObjectState, reason: &str, message: &str) -> ObjectState {
    state.progress = Progress::InProgress(Box::new(Reason { reason: reason.into(), message: message.into() }));
    state
}

/// A write that took a millisecond; its audit id says when, who and what.
pub(crate) fn write(ms: i64, user: &str, verb: Verb, subresource: &str, state: &ObjectState) -> Fact {
    let target = Target {
        kind: state.kind.clone(),
        subresource: subresource.into(),
        namespace: state.namespace.clone(),
        name: state.name.clone(),
        uid: Some(state.uid.clone()),
        ..Target::default()
    };
    let deletes = verb == Verb::Delete;
    let effect = if deletes { Effect::Deleted(vec![state.clone()]) } else { Effect::Object(Box::new(state.clone())) };
    Fact::Write(Box::new(Write {
        audit: Uid::new(&format!("{ms}-{user}-{}-{}", verb.as_str(), state.name)),
        received: at(ms),
        done: at(ms + 1),
        verb,
        actor: Actor { user: user.into(), agent: format!("{user}-agent/1").into(), address: "10.0.0.1".into() },
        target,
        effect,
        creates: verb == Verb::Create,
        context: None,
        latencies: Vec::new(),
    }))
}

/// A version that the watch saw.
pub(crate) fn seen(ms: i64, observed: Observed, state: &ObjectState) -> Fact {
    Fact::Observation(Box::new(Observation { time: at(ms), observed, state: state.clone() }))
}

/// A warning about an object.
pub(crate) fn warning(ms: i64, about: &ObjectState, reason: &str, message: &str) -> Fact {
    Fact::Event(Box::new(KubeEvent {
        uid: Uid::new(&format!("event-{ms}")),
        count: 1,
        time: at(ms),
        about: about.uid.clone(),
        kind: about.kind.kind.clone(),
        reason: reason.into(),
        message: message.into(),
        warning: true,
        source: "test".into(),
    }))
}

/// The journeys of a story, by the time of their roots.
pub(crate) fn journeys(facts: impl IntoIterator<Item = Fact>) -> Vec<Journey> {
    let mut weaver = Weaver::new(Config::default());
    woven(&mut weaver, facts, None).journeys
}

/// What a weaver says after these facts, at a time of its own or the last of the facts.
pub(crate) fn woven(weaver: &mut Weaver, facts: impl IntoIterator<Item = Fact>, now: Option<Time>) -> Upserts {
    for fact in facts {
        weaver.apply(fact);
    }
    let now = now.unwrap_or(weaver.now());
    let mut upserts = weaver.advance(now);
    upserts.journeys.sort_by_key(|journey| journey.start);
    upserts
}
