//! One fact of the capture, as it happens in one of its copies.

use clew_weave::fact::{Effect, Fact, KubeEvent, NativeSpans, ObjectState, Owner, Pod, Uid, Write};
use clew_weave::mention;
use compact_str::CompactString;
use rustc_hash::FxHashMap;

use crate::rename;
use crate::schedule::Schedule;

/// Turns facts of the capture into those of one copy.
#[derive(Debug)]
pub(crate) struct Vary<'a> {
    schedule: &'a Schedule,
    copy: u32,
    /// The hashes of names and UIDs, each with that of the copy's.
    mentions: FxHashMap<u64, u64>,
}

impl<'a> Vary<'a> {
    pub(crate) fn new<'f>(schedule: &'a Schedule, copy: u32, facts: impl Iterator<Item = &'f Fact>) -> Self {
        let mut mentions = FxHashMap::default();
        let mut renamed = |from: &str, to: &str| mentions.insert(mention(from), mention(to));
        renamed(rename::NAMESPACE, &rename::namespace(copy));
        for fact in facts {
            if let Some(state) = shown(fact) {
                renamed(&state.name, &rename::name(&state.name, copy));
                renamed(&state.uid.to_string(), &rename::uid(&state.uid, copy).to_string());
            }
        }
        Self { schedule, copy, mentions }
    }

    pub(crate) fn fact(&self, fact: &Fact) -> Fact {
        let mut fact = fact.clone();
        match &mut fact {
            Fact::Write(write) => self.write(write),
            Fact::Observation(observation) => {
                observation.time = self.schedule.time(observation.time, self.copy);
                self.state(&mut observation.state);
            }
            Fact::Event(event) => self.event(event),
            Fact::Native(span) => self.native(span),
            Fact::Cri(_) | Fact::Admission(_) | Fact::Step(_) => {}
        }
        fact
    }

    fn write(&self, write: &mut Write) {
        self.uid(&mut write.audit);
        write.received = self.schedule.time(write.received, self.copy);
        write.done = self.schedule.time(write.done, self.copy);
        write.actor.user = rename::user(&write.actor.user, self.copy);
        let target = &mut write.target;
        self.name(&mut target.namespace);
        self.name(&mut target.name);
        target.uid.iter_mut().chain(&mut target.bound).for_each(|uid| self.uid(uid));
        self.owners(&mut target.owners);
        match &mut write.effect {
            Effect::Object(state) => self.state(state),
            Effect::Scaled { uid, version, .. } => {
                self.uid(uid);
                *version = self.schedule.version(*version, self.copy);
            }
            Effect::Deleted(states) => states.iter_mut().for_each(|state| self.state(state)),
            Effect::Done | Effect::Refused { .. } => {}
        }
    }

    fn state(&self, state: &mut ObjectState) {
        self.name(&mut state.namespace);
        self.name(&mut state.name);
        self.uid(&mut state.uid);
        state.version = self.schedule.version(state.version, self.copy);
        self.owners(&mut state.owners);
        for moment in state.created.iter_mut().chain(&mut state.deleting) {
            *moment = self.schedule.time(*moment, self.copy);
        }
        for hash in state.mentions.iter_mut().chain(state.endpoints.iter_mut().map(|(pod, _)| pod)) {
            *hash = self.mentions.get(hash).copied().unwrap_or(*hash);
        }
        for manager in &mut state.managers {
            manager.time = self.schedule.time(manager.time, self.copy);
        }
        if let Some(pod) = &mut state.pod {
            self.pod(pod);
        }
    }

    fn pod(&self, pod: &mut Pod) {
        let conditions = [&mut pod.scheduled, &mut pod.sandbox, &mut pod.initialized, &mut pod.ready];
        let containers = pod.containers.iter_mut().flat_map(|one| [&mut one.started, &mut one.finished]);
        for moment in conditions.into_iter().chain(containers).flatten() {
            *moment = self.schedule.time(*moment, self.copy);
        }
    }

    fn event(&self, event: &mut KubeEvent) {
        self.uid(&mut event.uid);
        self.uid(&mut event.about);
        event.time = self.schedule.time(event.time, self.copy);
    }

    fn native(&self, span: &mut NativeSpans) {
        span.trace = rename::trace(span.trace, self.copy);
        span.links.iter_mut().for_each(|link| *link = rename::trace(*link, self.copy));
        span.start = self.schedule.time(span.start, self.copy);
        span.audit.iter_mut().chain(&mut span.pod).for_each(|uid| self.uid(uid));
    }

    fn owners(&self, owners: &mut [Owner]) {
        for owner in owners {
            self.uid(&mut owner.uid);
            self.name(&mut owner.name);
        }
    }

    fn name(&self, name: &mut CompactString) {
        *name = rename::name(name, self.copy);
    }

    fn uid(&self, uid: &mut Uid) {
        *uid = rename::uid(uid, self.copy);
    }
}

/// A fact about the cluster around the copies: it happens once, and its version takes its place among theirs.
pub(crate) fn around(fact: &Fact, schedule: &Schedule) -> Fact {
    let mut fact = fact.clone();
    match &mut fact {
        Fact::Observation(observation) => observation.state.version = schedule.version(observation.state.version, 0),
        Fact::Write(write) => {
            if let Effect::Object(state) = &mut write.effect {
                state.version = schedule.version(state.version, 0);
            }
        }
        _ => {}
    }
    fact
}

/// The object that a fact shows whole.
pub(crate) fn shown(fact: &Fact) -> Option<&ObjectState> {
    match fact {
        Fact::Observation(observation) => Some(&observation.state),
        Fact::Write(write) => match &write.effect {
            Effect::Object(state) => {
                let state: &ObjectState = state;
                Some(state)
            }
            Effect::Deleted(states) => states.first(),
            Effect::Scaled { .. } | Effect::Done | Effect::Refused { .. } => None,
        },
        _ => None,
    }
}
