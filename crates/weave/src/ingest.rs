//! Facts into memory: each becomes a step of an object, or is merged with one that another source told of.
//!
//! Adding facts is commutative and idempotent: memory is a function of the set of facts, whatever their order.

use clew_model::Time;
use smallvec::SmallVec;

use crate::actor::ActorId;
use crate::fact::{self, ObjectState, Observation, Observed, Uid, Verb, Write};
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Cause, Digest, Effect, Origin, Step};
use crate::symbol::Symbol;

/// What an added fact touched.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Objects whose steps must be looked at again.
    pub(crate) objects: Vec<ObjectId>,
    /// Writers that turned out to be controllers.
    pub(crate) revealed: Vec<ActorId>,
}

impl Memory {
    /// Adds what the watch saw.
    pub(crate) fn observe(&mut self, observation: Observation) -> Touched {
        let Observation { time, observed, state } = observation;
        let object = self.learn(&state);
        let origin = match observed {
            Observed::Listed => Origin::Listed,
            Observed::Added => Origin::Added,
            Observed::Modified => Origin::Modified,
            Observed::Deleted => Origin::Gone,
        };
        let mut touched = Touched { objects: vec![object], revealed: Vec::new() };
        let managers = self.managers_of(&state, &mut touched.revealed);
        if let (Observed::Added, Some(maker)) = (observed, managers.iter().find(|manager| !manager.status)) {
            touched.revealed.extend(self.note_role(maker.actor, object, false));
        }
        if observed == Observed::Deleted {
            self.object_mut(object).goes(time);
        }
        if let Some(id) = self.same_version(object, state.version, origin == Origin::Gone) {
            self.merge_observation(id, origin, &state, time);
            self.step_mut(id).managers = managers;
            return touched;
        }
        let verb = match observed {
            Observed::Added | Observed::Listed => Verb::Create,
            Observed::Modified => Verb::Update,
            Observed::Deleted => Verb::Delete,
        };
        let mut step = Step { managers, digest: digest(&state), ..blank(object, origin, verb, time) };
        step.version = state.version;
        add_endpoints(&mut step, &state);
        if let Some(trace) = state.context {
            step.extra_mut().context = Some(trace);
        }
        if let Some(revision) = &state.revision {
            step.extra_mut().revision = Some(revision.clone());
        }
        self.add_step(step);
        touched
    }

    /// Adds an audited write.
    pub(crate) fn write(&mut self, write: &Write) -> Touched {
        if !self.steps_of_audit(&write.audit).is_empty() {
            return Touched::default();
        }
        let actor = self.actors.intern(&write.actor, &mut self.symbols);
        if is_bookkeeping(write) {
            return Touched::default();
        }
        match &write.effect {
            fact::Effect::Object(state) => self.wrote(write, actor, state),
            fact::Effect::Scaled { uid, version, replicas } => self.scaled(write, actor, uid, *version, *replicas),
            fact::Effect::Deleted(states) => self.removed(write, actor, states),
            fact::Effect::Done => self.leaf(write, actor, None),
            fact::Effect::Refused { code, reason, message } => {
                let words = fact::Reason { reason: reason.clone(), message: message.clone() };
                self.leaf(write, actor, Some((*code, words)))
            }
        }
    }

    fn wrote(&mut self, write: &Write, actor: ActorId, state: &ObjectState) -> Touched {
        let object = self.learn(state);
        let status = write.target.subresource == "status";
        let mut touched = Touched { objects: vec![object], revealed: Vec::new() };
        if status || write.creates {
            touched.revealed.extend(self.note_role(actor, object, status));
        }
        if finishes_deletion(state) || (state.deleting.is_some() && write.target.subresource == "finalize") {
            self.object_mut(object).goes(write.done);
        }
        let mut step = self.step_of(write, actor, object, Origin::Wrote);
        step.version = state.version;
        step.digest = digest(state);
        add_endpoints(&mut step, state);
        if let Some(trace) = state.context {
            step.extra_mut().context = Some(trace);
        }
        if let Some(revision) = &state.revision {
            step.extra_mut().revision = Some(revision.clone());
        }
        self.place(step);
        touched
    }

    fn scaled(&mut self, write: &Write, actor: ActorId, uid: &Uid, version: u64, replicas: i64) -> Touched {
        let object = self.intern_object(uid);
        self.name_from(object, write);
        let mut step = self.step_of(write, actor, object, Origin::Wrote);
        step.version = version;
        step.digest.replicas = Some(replicas);
        self.place(step);
        Touched { objects: vec![object], revealed: Vec::new() }
    }

    fn removed(&mut self, write: &Write, actor: ActorId, states: &[ObjectState]) -> Touched {
        let mut touched = Touched::default();
        if states.is_empty() {
            return self.leaf(write, actor, None);
        }
        for state in states {
            let known = !state.uid.is_empty();
            let object = if known && state.version > 0 { self.learn(state) } else { self.target_of(write, state) };
            let step = self.step_of(write, actor, object, Origin::Removed);
            let held = self.symbols.text(self.object(object).resource) == "pods" || !state.finalizers.is_empty();
            let at_once = write.verb == Verb::DeleteCollection && !held;
            if at_once || (write.verb == Verb::Delete && write.target.subresource.is_empty()) {
                self.object_mut(object).goes(write.done);
            }
            let step = self.add_step(step);
            self.await_name(object, step);
            touched.objects.push(object);
        }
        touched
    }

    /// A write without a version: a token, a binding, a refusal. It hangs on the object that it names.
    fn leaf(&mut self, write: &Write, actor: ActorId, refused: Option<(u16, fact::Reason)>) -> Touched {
        let target = &write.target;
        let owner = target.owners.iter().find(|owner| owner.controller).or(target.owners.first());
        let owner = owner.map(|owner| self.intern_object(&owner.uid));
        let bound = target.bound.as_ref().map(|uid| self.intern_object(uid));
        let object = bound.unwrap_or_else(|| match &target.uid {
            Some(uid) => self.intern_object(uid),
            None => self.placeholder(write),
        });
        if target.uid.is_some() && bound.is_none() {
            self.name_from(object, write);
        }
        let mut revealed = Vec::new();
        if target.subresource == "binding" && refused.is_none() {
            let pod = self.object(object).kind;
            revealed.extend(self.actors.reconciles(actor, pod).then_some(actor));
        }
        let mut step = self.step_of(write, actor, object, Origin::Leaf);
        if refused.is_some() || bound.is_some() || owner.is_some() {
            let extra = step.extra_mut();
            extra.refused = refused;
            extra.bound = bound;
            extra.owner = owner;
        }
        let step = self.add_step(step);
        self.await_name(object, step);
        if let Some(owner) = owner {
            self.object_mut(owner).attempts.push(step);
        }
        Touched { objects: vec![object], revealed }
    }

    fn step_of(&mut self, write: &Write, actor: ActorId, object: ObjectId, origin: Origin) -> Step {
        let subresource = self.symbols.intern(&write.target.subresource);
        let mut step = Step {
            done: write.done,
            audit: Some(write.audit.clone()),
            subresource,
            actor: Some(actor),
            creates: write.creates,
            ..blank(object, origin, write.verb, write.received)
        };
        if !write.latencies.is_empty() {
            step.extra_mut().latencies.clone_from(&write.latencies);
        }
        if write.context.is_some() {
            step.extra_mut().context = write.context;
        }
        step
    }
}

fn blank(object: ObjectId, origin: Origin, verb: Verb, time: Time) -> Step {
    Step {
        object,
        origin,
        version: 0,
        adopted: 0,
        time,
        done: time,
        audit: None,
        verb,
        subresource: Symbol::default(),
        actor: None,
        creates: false,
        digest: Digest::default(),
        effect: Effect::Attached,
        cause: Cause::None,
        settled: false,
        journey: None,
        managers: SmallVec::new(),
        links: SmallVec::new(),
        extra: None,
    }
}

pub(crate) fn digest(state: &ObjectState) -> Digest {
    Digest {
        content: Some(state.content),
        spec: state.spec,
        template: state.template,
        replicas: state.replicas,
        generation: state.generation,
        deleting: state.deleting.is_some(),
        current: state.progress.is_current(),
        done: state.concluded && state.progress.is_current(),
        failed: matches!(state.progress, fact::Progress::Failed(_)),
        status: state.status,
    }
}

/// Leases and events belong to no journey, whoever writes them.
fn is_bookkeeping(write: &Write) -> bool {
    let kind = &write.target.kind;
    matches!(
        (kind.group.as_str(), kind.resource.as_str()),
        ("coordination.k8s.io", "leases") | ("" | "events.k8s.io", "events")
    )
}

/// Whether an update took away the last thing that held a deletion.
fn finishes_deletion(state: &ObjectState) -> bool {
    let waits = matches!(state.kind.resource.as_str(), "pods" | "namespaces");
    state.deleting.is_some() && state.finalizers.is_empty() && !waits
}

fn add_endpoints(step: &mut Step, state: &ObjectState) {
    if matches!(state.kind.resource.as_str(), "endpointslices" | "endpoints") {
        step.extra_mut().endpoints.clone_from(&state.endpoints);
    }
}
