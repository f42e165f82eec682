//! Why a step happened: the rules, in falling strength of their evidence.
//!
//! A rule looks only at memory, and only at what came before the step. So the answer depends on the facts, not on the
//! order in which they came; [`crate::settle`] asks again when something earlier became known.

mod attached;
mod candidates;
mod deletion;
mod endpoints;
mod owner;
mod reference;
mod relation;
mod replicas;
mod weighing;

pub(crate) use candidates::Candidate;

use clew_model::{Evidence, Time, TraceId};

use crate::actor::{ActorId, Habit, Kind};
use crate::fact::{Mark, Revision};
use crate::memory::Memory;
use crate::step::{Cause, Effect, RootKind, Step, StepId};

/// Built-in kinds whose status counts what became of pods or other objects: it belongs to what was last done to them.
const FOLLOW_PODS: [&str; 9] = [
    "cronjobs",
    "daemonsets",
    "deployments",
    "jobs",
    "namespaces",
    "poddisruptionbudgets",
    "replicationcontrollers",
    "resourcequotas",
    "statefulsets",
];

/// An explanation: one cause, and others that played a part.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Explained {
    pub(crate) cause: Cause,
    pub(crate) links: Vec<StepId>,
}

impl From<Cause> for Explained {
    fn from(cause: Cause) -> Self {
        Self { cause, links: Vec::new() }
    }
}

/// A cause that was found, with its evidence.
type Found = Option<(StepId, Evidence)>;

impl Memory {
    /// Why a step happened.
    pub(crate) fn explain(&self, id: StepId) -> Explained {
        let step = self.step(id);
        match step.effect {
            Effect::Attached => self.explain_attached(step),
            Effect::Reported => self.explain_report(step),
            Effect::Created => self.explain_creation(step),
            Effect::Changed => self.explain_change(step),
            Effect::Deleted => cause_or_root(self.explain_deletion(step), self.root_kind(step)),
        }
    }

    fn explain_creation(&self, step: &Step) -> Explained {
        let object = self.object(step.object);
        match object.mark {
            Some(Mark::Manual) => return Cause::Root(RootKind::Request).into(),
            Some(Mark::Tick) => return Cause::Root(RootKind::Timer).into(),
            None => {}
        }
        if let Some(found) = self.by_context(step) {
            return found;
        }
        if step.actor.is_some() && !self.may_react(step) {
            return Cause::Root(RootKind::Request).into();
        }
        if let Some(owner) = object.owner.filter(|owner| !self.object(*owner).custom) {
            let found = self.made_by_owner(owner, step).or_else(|| self.by_endpoints(step));
            return cause_or_root(found, RootKind::External);
        }
        if self.is_furniture(step) {
            let made = self.namespace(object.namespace).and_then(|namespace| self.creation_of(namespace));
            return cause_or_root(made.map(|made| (made, Evidence::Ownership)), RootKind::External);
        }
        let derived = self.by_service(step).or_else(|| self.by_parent(step));
        let found = derived.or_else(|| self.best_candidate(step).filter(|_| self.may_react(step)));
        cause_or_root(found, self.root_kind(step))
    }

    fn explain_change(&self, step: &Step) -> Explained {
        if let Some(found) = self.by_endpoints(step) {
            return self.with_endpoint_links(found, step);
        }
        let object = self.object(step.object);
        // A pod's spec is all but fixed: what changes is what binds it to a node or lets it go.
        if object.pod.is_some()
            && (self.may_react(step) || step.actor.is_none())
            && let Some(life) = self.life_change(step.object, step)
        {
            return Cause::Step(life, Evidence::Identity).into();
        }
        if step.actor.is_none()
            && let Some(former) = self.last_before(&object.changes, step)
            && self.step(former).digest.is_alike(&step.digest)
        {
            return Cause::Step(self.source(former), Evidence::Identity).into();
        }
        let owned_by_unknown = step.actor.is_none() && object.owner.is_some();
        if !self.may_react(step) && !owned_by_unknown {
            return Cause::Root(RootKind::Request).into();
        }
        if let Some(revision) = self.fetched(step) {
            return cause_or_root(self.by_revision(step, revision), RootKind::External);
        }
        let built_in = object.owner.filter(|owner| !self.object(*owner).custom);
        if let Some(owner) = built_in.filter(|owner| step.actor.is_none() || self.is_of_owner(*owner, step))
            && let Some(found) = self.changed_by_owner(owner, step)
        {
            return self.with_outstanding_links(owner, found, step);
        }
        cause_or_root(self.best_candidate(step), RootKind::External)
    }

    /// A status that says something new.
    fn explain_report(&self, step: &Step) -> Explained {
        let object = self.object(step.object);
        if !self.may_react(step) && step.actor.is_some() {
            return Cause::Root(RootKind::Request).into();
        }
        if let Some(revision) = self.fetched(step) {
            return cause_or_root(self.by_revision(step, revision), RootKind::External);
        }
        let follows_pods = !object.custom && FOLLOW_PODS.contains(&self.symbols.text(object.resource));
        let found = if follows_pods { None } else { self.best_candidate(step) };
        if found.is_some() || object.custom {
            return cause_or_root(found, RootKind::External);
        }
        match self.explain_attached(step) {
            Explained { cause: Cause::None, .. } => Cause::Root(RootKind::External).into(),
            explained => explained,
        }
    }

    /// What a chain of one object's changes goes back to, so that it does not grow with every mark on the object.
    fn source(&self, change: StepId) -> StepId {
        let object = self.step(change).object;
        match self.step(change).cause {
            Cause::Step(source, Evidence::Identity)
                if self.find_step(source).is_some_and(|source| source.object == object) =>
            {
                source
            }
            _ => change,
        }
    }

    /// What an object's controller fetched, if a version is the first to say it.
    pub(crate) fn fetched<'a>(&self, step: &'a Step) -> Option<&'a Revision> {
        let revision = step.extra()?.revision.as_deref()?;
        let steps = self.object(step.object).steps.iter().map(|id| self.step(*id));
        let mut former = steps.filter(|other| other.version > 0 && other.before(step)).peekable();
        // Of an object that was there before it is not known since when it says so.
        let is_first_seen = former.peek().is_none();
        let is_known = former.any(|other| {
            let known = other.extra().and_then(|extra| extra.revision.as_deref());
            known.is_some_and(|known| known.id == revision.id)
        });
        (!is_known && !is_first_seen).then_some(revision)
    }

    /// Why a controller fetched a revision: somebody changed what it fetches, or another source had it first. Else the
    /// revision itself is the root.
    fn by_revision(&self, step: &Step, revision: &Revision) -> Found {
        let own = self.candidates(step).into_iter().filter(|candidate| {
            let relation = matches!(candidate.relation, relation::Relation::Itself | relation::Relation::References);
            relation && candidate.weight >= candidates::FRESH
        });
        let own = own.max_by_key(|candidate| (candidate.weight, self.step(candidate.step).version));
        let fetched = self.revisions.get(&revision.key()).into_iter().flatten();
        let first = fetched.copied().filter(|id| self.step(*id).before(step) && self.step(*id).is_news());
        let first = first.min_by_key(|id| (self.step(*id).time, self.step(*id).version));
        let first = first.filter(|_| revision.is_unique());
        let found = own.map(|candidate| candidate.step).or(first)?;
        Some((found, Evidence::Identity))
    }

    /// An object that was made with the trace context that an earlier change carried: it was handed on.
    fn by_context(&self, step: &Step) -> Option<Explained> {
        let context = step.extra()?.context?;
        let carriers = self.contexts.get(&context)?.iter().copied();
        let earlier = carriers.filter(|id| {
            let carrier = self.step(*id);
            // An annotation outlives its change: it counts while nothing newer was done to who carries it.
            let newest = self.last_before(&self.object(carrier.object).changes, step) == Some(*id);
            carrier.is_change() && carrier.object != step.object && newest
        });
        let first = earlier.min_by_key(|id| (self.step(*id).time, self.step(*id).version))?;
        Some(Cause::Step(first, Evidence::Context).into())
    }

    /// The trace of the command that asked for a change, if clew traces it.
    pub(crate) fn command_trace(&self, step: &Step) -> Option<TraceId> {
        let context = step.extra()?.context?;
        self.commands.contains(&context).then_some(context)
    }

    /// Whether a step still is a root that this writer asked for at this time.
    pub(crate) fn is_asked(&self, id: StepId, actor: ActorId, time: Time) -> bool {
        let asked = |step: &Step| step.cause == Cause::Root(RootKind::Request) && step.actor == Some(actor);
        self.find_step(id).is_some_and(|step| asked(step) && step.time == time)
    }

    /// What Kubernetes puts into every namespace.
    fn is_furniture(&self, step: &Step) -> bool {
        let object = self.object(step.object);
        matches!(
            (self.symbols.text(object.resource), object.name.as_str()),
            ("serviceaccounts", "default") | ("configmaps", "kube-root-ca.crt" | "openshift-service-ca.crt")
        )
    }

    /// What kind of root a change is that nothing explains: a controller's has a reason outside, all others were asked for.
    fn root_kind(&self, step: &Step) -> RootKind {
        if self.may_react(step) { RootKind::External } else { RootKind::Request }
    }

    /// Whether a program decided on a write, rather than whoever asked for it: by the account and the agent where they
    /// tell, else if this write follows what others did as others of the same writer have.
    pub(crate) fn may_react(&self, step: &Step) -> bool {
        // The watch sees that an object goes, and who wrote it last, but not who asked for it to go.
        let knows_writer = step.audit.is_some() || step.effect != Effect::Deleted;
        let Some(actor) = step.actor.filter(|_| knows_writer) else { return false };
        let is_controller = self.actors.is_controller(actor);
        match self.actors.get(actor).kind {
            Kind::Program => true,
            Kind::Client => is_controller && (self.habit(step) != Some(Habit::Begins) || self.restored(step).is_some()),
            Kind::Unknown => {
                let makes_part = step.effect == Effect::Created && self.object(step.object).owner.is_some();
                let seen_only = step.audit.is_none() && step.effect == Effect::Created;
                is_controller
                    || makes_part
                    || self.habit(step) == Some(Habit::Follows)
                    || (seen_only && self.fresh_candidate(step).is_some())
            }
        }
    }

    /// The step that made an object.
    pub(crate) fn creation_of(&self, object: crate::object::ObjectId) -> Option<StepId> {
        self.object(object).changes.iter().copied().find(|id| self.step(*id).effect == Effect::Created)
    }

    /// The step that asked for an object's deletion.
    pub(crate) fn deletion_of(&self, object: crate::object::ObjectId) -> Option<StepId> {
        self.object(object).changes.iter().copied().find(|id| self.step(*id).effect == Effect::Deleted)
    }
}

fn cause_or_root(found: Found, root: RootKind) -> Explained {
    match found {
        Some((step, evidence)) => Cause::Step(step, evidence).into(),
        None => Cause::Root(root).into(),
    }
}
