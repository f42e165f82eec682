//! Steps that change nothing others react to: status writes, bindings, tokens, refusals. They hang on a change.

use clew_model::Evidence;

use crate::fact::Verb;
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Cause, Origin, Step, StepId};

use super::Explained;

impl Memory {
    pub(super) fn explain_attached(&self, step: &Step) -> Explained {
        if matches!(step.origin, Origin::Listed) {
            return Cause::None.into();
        }
        let refused = step.refused().is_some();
        if refused && !self.may_react(step) {
            // A person's request that was refused changed nothing, and nothing follows from it.
            return Cause::None.into();
        }
        let idle = step.origin == Origin::Leaf && matches!(step.verb, Verb::Update | Verb::Patch);
        if (refused || (idle && self.may_react(step)))
            && let Some(explained) = self.explain_attempt(step)
        {
            return explained;
        }
        let object = self.object(step.object);
        if step.extra().is_some_and(|extra| extra.bound.is_some())
            && let Some(made) = self.creation_of(step.object)
        {
            return Cause::Step(made, Evidence::Identity).into();
        }
        // A controller that begins to act on something may first say what it has said before.
        if object.custom
            && step.version > 0
            && self.may_react(step)
            && let Some((cause, evidence)) = self.fresh_candidate(step)
        {
            return Cause::Step(cause, evidence).into();
        }
        let change =
            if object.pod.is_some() { self.life_change(step.object, step) } else { self.latest_on(step.object, step) };
        let evidence = Evidence::Identity;
        if let Some(change) = change.or_else(|| self.own_earliest(step)) {
            return Cause::Step(change, evidence).into();
        }
        let above = object.owner.and_then(|owner| self.latest_of_owner(owner, step));
        let above = above.or_else(|| Some((self.namespace_deletion(step)?, Evidence::Ownership)));
        above.map_or(Cause::None, |(change, evidence)| Cause::Step(change, evidence)).into()
    }

    /// A create or update that was refused, or changed nothing, is explained like one that did: a retry belongs to the
    /// same cause.
    fn explain_attempt(&self, step: &Step) -> Option<Explained> {
        if step.verb == Verb::Delete {
            let (cause, evidence) = self.explain_deletion(step)?;
            return Some(Cause::Step(cause, evidence).into());
        }
        let owner = step.extra().and_then(|extra| extra.owner).or(self.object(step.object).owner)?;
        let status = !self.symbols.text(step.subresource).is_empty();
        let deleted = self.namespace_deletion(step);
        let found = match step.verb {
            _ if status => return None,
            Verb::Create => self.refused_creation(owner, step),
            Verb::Update | Verb::Patch => self.changed_by_owner(owner, step).map(|(change, _)| change),
            Verb::Delete | Verb::DeleteCollection => return None,
        };
        let found = found.or(deleted)?;
        Some(Cause::Step(found, Evidence::Ownership).into())
    }

    fn refused_creation(&self, owner: ObjectId, step: &Step) -> Option<StepId> {
        let pods = self.symbols.find("pods");
        let is_pod = step.object != owner && Some(self.object(step.object).resource) == pods;
        let found = if is_pod { self.made_for_replicas(owner, step) } else { self.latest_of_owner(owner, step) };
        found.map(|(change, _)| change)
    }

    /// A step may seem to come before the change that it follows, where two clocks disagree.
    fn own_earliest(&self, step: &Step) -> Option<StepId> {
        self.object(step.object).changes.first().copied().filter(|_| step.origin != Origin::Leaf)
    }

    fn namespace_deletion(&self, step: &Step) -> Option<StepId> {
        let object = self.object(step.object);
        let namespace = self.namespace(object.namespace)?;
        self.deletion_of(namespace).filter(|deletion| self.step(*deletion).before(step))
    }
}
