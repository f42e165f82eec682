//! Facts into memory: each becomes a step of an object, or is merged with one that another source told of.
//!
//! Adding facts is commutative and idempotent: memory is a function of the set of facts, whatever their order.

use clew_model::Time;
use smallvec::SmallVec;

use crate::actor::ActorId;
use crate::fact::{self, ObjectState, Observation, Observed, Uid, Verb, Write};
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Cause, Digest, Effect, ManagerMark, Origin, Step, StepId};
use crate::symbol::Symbol;

/// What an added fact touched.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Objects whose steps must be looked at again.
    pub(crate) objects: Vec<ObjectId>,
    /// A writer that turned out to be a controller.
    pub(crate) revealed: Option<ActorId>,
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
        let managers = self.managers_of(&state);
        let mut touched = Touched { objects: vec![object], revealed: managers.first().map(|manager| manager.actor) };
        if let (Observed::Added, Some(maker)) = (observed, managers.iter().find(|manager| !manager.status)) {
            touched.revealed = self.note_role(maker.actor, object, false).or(touched.revealed);
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
        self.add_endpoints(&mut step, &state);
        step.extra = step.extra.take().or_else(|| context(&state));
        self.add_step(step);
        touched
    }

    /// Adds an audited write.
    pub(crate) fn write(&mut self, write: Write) -> Touched {
        if !self.steps_of_audit(&write.audit).is_empty() {
            return Touched::default();
        }
        let actor = self.actors.intern(&write.actor, &mut self.symbols);
        if is_heartbeat(&write) {
            let news = self.actors.controls(actor);
            return Touched { objects: Vec::new(), revealed: news.then_some(actor) };
        }
        let effect = write.effect.clone();
        match effect {
            fact::Effect::Object(state) => self.wrote(&write, actor, &state),
            fact::Effect::Scaled { uid, version, replicas } => self.scaled(&write, actor, &uid, version, replicas),
            fact::Effect::Deleted(states) => self.removed(&write, actor, &states),
            fact::Effect::Done => self.leaf(&write, actor, None),
            fact::Effect::Refused { code, reason, message } => {
                self.leaf(&write, actor, Some((code, fact::Reason { reason, message })))
            }
        }
    }

    fn wrote(&mut self, write: &Write, actor: ActorId, state: &ObjectState) -> Touched {
        let object = self.learn(state);
        let status = write.target.subresource == "status";
        let creates = write.verb == Verb::Create;
        let mut touched = Touched { objects: vec![object], revealed: None };
        if status || creates {
            touched.revealed = self.note_role(actor, object, status);
        }
        if finishes_deletion(state) || (state.deleting.is_some() && write.target.subresource == "finalize") {
            self.object_mut(object).goes(write.done);
        }
        let mut step = self.step_of(write, actor, object, Origin::Wrote);
        step.version = state.version;
        step.digest = digest(state);
        self.add_endpoints(&mut step, state);
        if let Some(trace) = state.context {
            step.extra_mut().context = Some(trace);
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
        Touched { objects: vec![object], revealed: None }
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
        if target.subresource == "binding" && refused.is_none() {
            let pod = self.object(object).kind;
            self.actors.reconciles(actor, pod);
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
        Touched { objects: vec![object], revealed: None }
    }

    /// Adds a written version, or merges it with what the watch saw of it.
    fn place(&mut self, step: Step) {
        let Some(id) = self.same_version(step.object, step.version, false) else {
            self.add_step(step);
            return;
        };
        let known = self.step(id);
        let Some(other) = known.audit.clone() else {
            if known.origin == Origin::Listed && known.time < step.time {
                // The version was there before the request came: it changed nothing.
                self.add_step(Step { origin: Origin::Leaf, version: 0, ..step });
                return;
            }
            self.merge_write(id, step);
            return;
        };
        // Two writes, one version: the first made it, the other changed nothing.
        if (known.time, &other) <= (step.time, step.audit.as_ref().unwrap_or(&other)) {
            self.add_step(Step { origin: Origin::Leaf, version: 0, ..step });
            return;
        }
        let mut late = self.step(id).clone();
        late.origin = Origin::Leaf;
        late.version = 0;
        late.settled = false;
        late.journey = None;
        late.cause = Cause::None;
        self.unfile_audit(id, &other);
        self.merge_write(id, step);
        self.add_step(late);
    }

    fn merge_write(&mut self, id: StepId, write: Step) {
        let object = write.object;
        if let Some(audit) = write.audit.clone() {
            self.note_audit(audit, id);
        }
        let known = self.step_mut(id);
        let digest = if write.digest.content.is_some() { write.digest } else { known.digest };
        let extra = write.extra.or_else(|| known.extra.take());
        let former = known.actor;
        let managers = std::mem::take(&mut known.managers);
        let (cause, effect, journey) = (known.cause, known.effect, known.journey);
        *known = Step { digest, extra, managers, cause, effect, journey, ..write };
        self.moved_actor(id, former);
        self.resort(object);
    }

    /// Files a step under the writer that it turned out to have.
    pub(crate) fn moved_actor(&mut self, id: StepId, former: Option<ActorId>) {
        let actor = self.step(id).actor;
        if actor == former {
            return;
        }
        if let Some(dealings) = former.and_then(|actor| self.dealings.get_mut(&actor)) {
            dealings.retain(|other| *other != id);
        }
        if let Some(actor) = actor {
            self.dealings.entry(actor).or_default().push(id);
        }
    }

    fn merge_observation(&mut self, id: StepId, origin: Origin, state: &ObjectState, time: Time) {
        let seen = digest(state);
        let step = self.step_mut(id);
        step.settled = step.settled && step.digest == seen;
        step.digest = seen;
        if step.audit.is_none() && (step.origin == Origin::Listed || time < step.time) {
            step.time = step.time.min(time);
            step.done = step.time;
            if origin != Origin::Listed {
                step.origin = origin;
            }
        }
        let object = step.object;
        self.resort(object);
    }

    /// The step that made this version of the object, if one is known.
    fn same_version(&self, object: ObjectId, version: u64, gone: bool) -> Option<StepId> {
        if version == 0 {
            return None;
        }
        let steps = self.object(object).steps.iter().rev();
        steps.copied().find(|id| {
            let step = self.step(*id);
            step.version == version && (step.origin == Origin::Gone) == gone
        })
    }

    fn resort(&mut self, object: ObjectId) {
        let mut steps = std::mem::take(&mut self.object_mut(object).steps);
        steps.sort_by(|one, other| {
            let (one, other) = (self.step(*one), self.step(*other));
            (one.time, one.version, &one.audit).cmp(&(other.time, other.version, &other.audit))
        });
        self.object_mut(object).steps = steps;
    }

    fn step_of(&mut self, write: &Write, actor: ActorId, object: ObjectId, origin: Origin) -> Step {
        let subresource = self.symbols.intern(&write.target.subresource);
        let mut step = Step {
            done: write.done,
            audit: Some(write.audit.clone()),
            subresource,
            actor: Some(actor),
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

    /// Learns an object's names and newest state.
    pub(crate) fn learn(&mut self, state: &ObjectState) -> ObjectId {
        let id = self.intern_object(&state.uid);
        let first = self.object(id).name.is_empty();
        if first {
            let names = self.names(state);
            let object = self.object_mut(id);
            (object.group, object.api_version, object.resource, object.kind, object.namespace) = names;
            object.name = state.name.clone();
            object.mark = state.mark;
            object.created = state.created;
            self.file_names(id);
        } else if self.object(id).kind == Symbol::default() && !state.kind.kind.is_empty() {
            self.object_mut(id).kind = self.symbols.intern(&state.kind.kind);
        }
        self.learn_owner(id, state);
        if let Some(body) = &state.body {
            self.object_mut(id).keep_body(state.version, state.content, body);
        }
        if state.version >= self.object(id).version {
            self.file_mentions(id, &state.mentions);
            let object = self.object_mut(id);
            object.version = state.version;
            object.mentions.clone_from(&state.mentions);
            object.progress = state.progress.clone();
            object.pod.clone_from(&state.pod);
            object.finalizers.clone_from(&state.finalizers);
            object.deleting = state.deleting.or(object.deleting);
            object.mark = state.mark.or(object.mark);
        }
        id
    }

    fn names(&mut self, state: &ObjectState) -> (Symbol, Symbol, Symbol, Symbol, Symbol) {
        let symbols = &mut self.symbols;
        (
            symbols.intern(&state.kind.group),
            symbols.intern(&state.kind.version),
            symbols.intern(&state.kind.resource),
            symbols.intern(&state.kind.kind),
            symbols.intern(&state.namespace),
        )
    }

    fn learn_owner(&mut self, id: ObjectId, state: &ObjectState) {
        let Some(reference) = state.controller() else { return };
        let owner = self.intern_object(&reference.uid);
        if owner == id || self.object(id).owner == Some(owner) {
            return;
        }
        if self.object(owner).kind == Symbol::default() {
            self.object_mut(owner).kind = self.symbols.intern(&reference.kind);
        }
        if let Some(former) = self.object(id).owner {
            if state.version < self.object(id).version {
                return;
            }
            self.object_mut(former).children.retain(|child| *child != id);
        }
        self.object_mut(id).owner = Some(owner);
        self.object_mut(owner).children.push(id);
    }

    fn add_endpoints(&self, step: &mut Step, state: &ObjectState) {
        if matches!(state.kind.resource.as_str(), "endpointslices" | "endpoints") {
            step.extra_mut().endpoints.clone_from(&state.endpoints);
        }
    }

    /// The writers that a version names; those of its status reconcile its kind.
    fn managers_of(&mut self, state: &ObjectState) -> SmallVec<[ManagerMark; 2]> {
        let kind = self.symbols.intern(&state.kind.kind);
        let mut marks = SmallVec::new();
        for manager in &state.managers {
            let actor = self.actors.manager(&manager.name, &mut self.symbols);
            let status = manager.subresource == "status";
            if status {
                self.actors.reconciles(actor, kind);
            }
            let text = format!("{}/{}/{}", manager.name, manager.subresource, manager.time.as_nanos());
            let hash = u32::try_from(crate::mention(&text) >> 32).unwrap_or_default();
            marks.push(ManagerMark { actor, hash, status });
        }
        marks
    }

    /// Notes what a writer reconciles: the kind whose status it wrote, or whose child it made.
    fn note_role(&mut self, actor: ActorId, object: ObjectId, status: bool) -> Option<ActorId> {
        let subject = if status { Some(object) } else { self.object(object).owner };
        if self.object(object).mark == Some(fact::Mark::Manual) {
            return None;
        }
        let kind = self.object(subject?).kind;
        (kind != Symbol::default() && self.actors.reconciles(actor, kind)).then_some(actor)
    }

    fn name_from(&mut self, object: ObjectId, write: &Write) {
        if !self.object(object).name.is_empty() || write.target.name.is_empty() {
            return;
        }
        let state = ObjectState {
            kind: write.target.kind.clone(),
            namespace: write.target.namespace.clone(),
            name: write.target.name.clone(),
            uid: self.object(object).uid.clone(),
            ..ObjectState::default()
        };
        self.learn(&state);
    }

    fn target_of(&mut self, write: &Write, state: &ObjectState) -> ObjectId {
        if state.uid.is_empty() {
            return self.placeholder(write);
        }
        let object = self.intern_object(&state.uid);
        self.name_from(object, write);
        object
    }

    fn unfile_audit(&mut self, id: StepId, audit: &Uid) {
        self.step_mut(id).audit = None;
        self.drop_audit(audit, id);
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

fn context(state: &ObjectState) -> Option<Box<crate::step::Extra>> {
    let context = state.context?;
    Some(Box::new(crate::step::Extra { context: Some(context), ..Default::default() }))
}

fn digest(state: &ObjectState) -> Digest {
    Digest {
        content: Some(state.content),
        spec: state.spec,
        template: state.template,
        replicas: state.replicas,
        generation: state.generation,
        deleting: state.deleting.is_some(),
        current: state.progress.is_current(),
        failed: matches!(state.progress, fact::Progress::Failed(_)),
    }
}

/// Writes that only controllers make and that belong to no journey.
fn is_heartbeat(write: &Write) -> bool {
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
