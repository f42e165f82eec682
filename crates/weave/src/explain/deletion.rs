//! Why an object was deleted.

use clew_model::Evidence;

use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Effect, Step, StepId};

use super::Found;

impl Memory {
    pub(super) fn explain_deletion(&self, step: &Step) -> Found {
        let object = self.object(step.object);
        let namespace = self.namespace(object.namespace).filter(|namespace| *namespace != step.object);
        if let Some(deletion) = namespace.and_then(|namespace| self.earlier_deletion(namespace, step)) {
            return Some((deletion, Evidence::Ownership));
        }
        let owners = object.owner.into_iter();
        for owner in owners.clone().flat_map(|owner| self.lineage(owner)) {
            if let Some(deletion) = self.earlier_deletion(owner, step) {
                return Some((deletion, Evidence::Ownership));
            }
        }
        let by_controller = self.may_react(step);
        if let Some(owner) = object.owner.filter(|owner| !self.object(*owner).custom)
            && if by_controller {
                self.is_of_owner(owner, step) || !self.lineage(owner).any(|above| self.object(above).custom)
            } else {
                step.actor_is_unknown() && self.is_explicable(owner, step)
            }
        {
            return self.removed_by_owner(owner, step);
        }
        if self.is_derived(step) {
            return self.by_service(step).or_else(|| self.by_deleted_reference(step));
        }
        if !by_controller {
            return None;
        }
        // What a controller deletes for no other reason, it deletes as the object itself asked: a Job after its time.
        let own = || Some((self.last_before(&object.changes, step)?, Evidence::Identity));
        self.by_node(step).or_else(|| self.best_candidate(step)).or_else(own)
    }

    /// Whether a write is an owner's own controller's, as far as it was seen to reconcile the owner's kind.
    pub(crate) fn is_of_owner(&self, owner: ObjectId, step: &Step) -> bool {
        self.may_react(step) && step.actor.is_some_and(|actor| self.actors.has_role(actor, self.object(owner).kind))
    }

    /// Whether only the API server and its controllers make and delete such objects, beside a Service.
    fn is_derived(&self, step: &Step) -> bool {
        matches!(self.symbols.text(self.object(step.object).resource), "endpoints" | "ipaddresses")
    }

    /// The deletion of an owner or namespace that came before, unless the same writer asked for both.
    fn earlier_deletion(&self, of: ObjectId, step: &Step) -> Option<StepId> {
        let deletion = self.deletion_of(of)?;
        let earlier = self.step(deletion);
        let same = match (earlier.actor, step.actor) {
            (Some(one), Some(other)) if step.audit.is_some() && earlier.audit.is_some() => self.actors.same(one, other),
            _ => false,
        };
        (earlier.before(step) && !same).then_some(deletion)
    }

    /// Whether a deletion that nobody is known to have asked for need not be somebody's.
    fn is_explicable(&self, owner: ObjectId, step: &Step) -> bool {
        let disrupted = self.object(step.object).pod.as_ref().is_some_and(|pod| pod.disrupted);
        disrupted || self.asks_for_less(owner, step)
    }

    /// Whether an owner wants fewer pods, or others: then a deletion that nobody is known to have asked for is its own.
    fn asks_for_less(&self, owner: ObjectId, step: &Step) -> bool {
        let changes = &self.object(owner).changes;
        let Some(last) = self.last_before(changes, step) else { return false };
        if self.step(last).effect == Effect::Created && self.symbols.text(self.object(owner).kind) != "Job" {
            return false;
        }
        self.is_outstanding(last, step)
    }

    fn removed_by_owner(&self, owner: ObjectId, step: &Step) -> Found {
        let change = self.last_before(&self.object(owner).changes, step);
        match change {
            Some(change) => Some((change, Evidence::Ownership)),
            None => self.latest_of_owner(owner, step),
        }
    }

    /// A pod that a controller took from its node: what happened to the node.
    fn by_node(&self, step: &Step) -> Found {
        let pod = self.object(step.object).pod.as_ref()?;
        let nodes = self.symbols.find("nodes")?;
        let node = self.by_name(nodes, crate::symbol::Symbol::default(), &pod.node).last()?;
        let change = self.last_before(&self.object(*node).changes, step)?;
        Some((change, Evidence::Reference))
    }
}
