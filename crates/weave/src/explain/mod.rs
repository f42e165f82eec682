//! Why a step happened: the rules, in falling strength of their evidence.
//!
//! A rule looks only at memory, and only at what came before the step. So the answer depends on the facts, not on the
//! order in which they came; [`crate::settle`] asks again when something earlier became known.

mod attached;
mod deletion;
mod endpoints;
mod owner;
mod reference;
mod replicas;

use clew_model::{Evidence, Time, TraceId};

use crate::actor::ActorId;
use crate::fact::Mark;
use crate::memory::Memory;
use crate::step::{Cause, Effect, RootKind, Step, StepId};

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
        if let Some(owner) = object.owner {
            let found = self.made_by_owner(owner, step).or_else(|| self.by_endpoints(step));
            return cause_or_root(found, RootKind::External);
        }
        if self.is_furniture(step) {
            let made = self.namespace(object.namespace).and_then(|namespace| self.creation_of(namespace));
            return cause_or_root(made.map(|made| (made, Evidence::Ownership)), RootKind::External);
        }
        let derived = self.by_service(step).or_else(|| self.by_parent(step));
        let found = derived.or_else(|| self.by_reference(step));
        cause_or_root(found, self.root_kind(step))
    }

    fn explain_change(&self, step: &Step) -> Explained {
        if let Some(found) = self.by_endpoints(step) {
            return self.with_endpoint_links(found, step);
        }
        let object = self.object(step.object);
        let former = self.last_before(&object.changes, step);
        let own = former.map(|former| (self.source(former), Evidence::Identity));
        let scales = self.symbols.text(step.subresource) == "scale";
        let marks_only = former.is_some_and(|former| self.step(former).digest.is_alike(&step.digest)) && !scales;
        // A pod's spec is all but fixed: what changes is what binds it to a node or lets it go.
        if object.pod.is_some()
            && (self.is_by_controller(step) || step.actor.is_none())
            && let Some(life) = self.life_change(step.object, step)
        {
            return Cause::Step(life, Evidence::Identity).into();
        }
        if step.actor.is_none() && marks_only {
            return cause_or_root(own, RootKind::External);
        }
        let owned_by_unknown = step.actor.is_none() && object.owner.is_some();
        if !self.is_by_controller(step) && !owned_by_unknown {
            return Cause::Root(RootKind::Request).into();
        }
        if scales
            && let Some(found) = self.by_reference(step)
            && self.reconciles(step, self.step(found.0).object)
        {
            return Cause::Step(found.0, found.1).into();
        }
        if let Some(owner) = object.owner
            && let Some(found) = self.changed_by_owner(owner, step)
        {
            return self.with_outstanding_links(owner, found, step);
        }
        let by_own = self.reconciles(step, step.object) || marks_only;
        let found = if by_own {
            own.or_else(|| self.by_reference(step))
        } else {
            self.later_cause(own, self.by_reference(step))
        };
        cause_or_root(found, RootKind::External)
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

    fn reconciles(&self, step: &Step, object: crate::object::ObjectId) -> bool {
        step.actor.is_some_and(|actor| self.actors.has_role(actor, self.object(object).kind))
    }

    /// The later of two possible causes: a controller corrects what was done to the object last, or follows its input.
    fn later_cause(&self, own: Found, other: Found) -> Found {
        match (own, other) {
            (Some(own), Some(other)) if self.step(own.0).before(self.step(other.0)) => Some(other),
            (own, other) => own.or(other),
        }
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
        if self.is_by_controller(step) { RootKind::External } else { RootKind::Request }
    }

    pub(crate) fn is_by_controller(&self, step: &Step) -> bool {
        // The watch sees that an object goes, and who wrote it last, but not who asked for it to go.
        let knows_writer = step.audit.is_some() || step.effect != Effect::Deleted;
        knows_writer && step.actor.is_some_and(|actor| self.actors.is_controller(actor))
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
