//! What an owner's controller does to what it owns.

use clew_model::Evidence;

use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Cause, Digest, Effect, Step, StepId};

use super::{Explained, Found};

impl Memory {
    /// Why an owner's controller made an object.
    pub(super) fn made_by_owner(&self, owner: ObjectId, step: &Step) -> Found {
        if let Some(lost) = self.namesake_lost(owner, step) {
            return Some((lost, Evidence::Ownership));
        }
        if self.object(step.object).pod.is_some()
            && self.object(owner).changes.iter().any(|id| self.asks_for_replicas(*id))
        {
            return self.made_for_replicas(owner, step);
        }
        if let Some(change) = self.template_change(owner, step) {
            return Some((change, Evidence::Ownership));
        }
        self.latest_of_owner(owner, step)
    }

    /// Why an owner's controller changed, or tried to change, an object.
    pub(super) fn changed_by_owner(&self, owner: ObjectId, step: &Step) -> Found {
        if let Some(change) = self.replica_change(owner, step) {
            return Some((change, Evidence::Ownership));
        }
        let nearest = self.latest_of_owner(owner, step)?;
        let higher = self
            .lineage(owner)
            .skip(1)
            .filter(|object| step.actor.is_some_and(|actor| self.actors.has_role(actor, self.object(*object).kind)));
        // An operator that reconciles several levels may act on a low one as soon as a high one changed.
        let higher = higher.filter_map(|object| self.latest_on(object, step));
        let latest = higher.fold(nearest.0, |best, id| if self.step(best).before(self.step(id)) { id } else { best });
        Some((latest, Evidence::Ownership))
    }

    /// A sibling of the same name that was deleted: the object takes its place, as a StatefulSet's pod does.
    fn namesake_lost(&self, owner: ObjectId, step: &Step) -> Option<StepId> {
        let object = self.object(step.object);
        let namesakes = self.by_name(object.resource, object.namespace, &object.name);
        let lost = namesakes.iter().filter(|id| **id != step.object && self.object(**id).owner == Some(owner));
        let deletions = lost.filter_map(|id| self.deletion_of(*id)).filter(|id| self.step(*id).before(step));
        deletions.reduce(|best, id| if self.step(best).before(self.step(id)) { id } else { best })
    }

    /// The owner's last change, other than of its replicas alone, under which the object's template is the wanted one.
    fn template_change(&self, owner: ObjectId, step: &Step) -> Option<StepId> {
        let template = step.digest.template;
        if template == 0 {
            return None;
        }
        let (mut wanted, mut replicas, mut former) = (0, None, 0);
        let mut found = None;
        for id in self.object(owner).changes.iter().filter(|id| self.step(**id).before(step)) {
            let Digest { template: brought, replicas: asked, spec, .. } = self.step(*id).digest;
            let scales_only = (brought == 0 || brought == wanted) && asked != replicas;
            let marks_only = spec != 0 && spec == former;
            wanted = if brought == 0 { wanted } else { brought };
            replicas = asked.or(replicas);
            former = spec;
            if wanted == template && !scales_only && (!marks_only || found.is_none()) {
                found = Some(*id);
            }
        }
        found
    }

    /// The owner's change that a set of pods follows when its replicas change: the last that scaled, or under which its
    /// template is the wanted one, or, when it shrinks, that brought another template.
    fn replica_change(&self, owner: ObjectId, step: &Step) -> Option<StepId> {
        let template = step.digest.template;
        let former = self.replicas_before(step)?;
        let grows = step.digest.replicas? > former;
        if template == 0 || step.digest.replicas == Some(former) {
            return None;
        }
        let changes = &self.object(owner).changes;
        let (mut wanted, mut replicas, mut last_spec) = (0, None, 0);
        let mut found = None;
        for id in changes.iter().filter(|id| self.step(**id).before(step)) {
            let Digest { template: brought, replicas: asked, spec, .. } = self.step(*id).digest;
            let marks_only = spec != 0 && spec == last_spec;
            last_spec = spec;
            let replaced = brought != 0 && brought != wanted;
            let scaled = asked.is_some() && asked != replicas;
            // A rollout that is under way still grows to the replicas that it began with.
            let rolling = scaled && !replaced && grows && step.digest.replicas <= replicas;
            let rolling = rolling && wanted == template && found.is_some_and(|found| self.is_outstanding(found, step));
            wanted = if brought == 0 { wanted } else { brought };
            replicas = asked.or(replicas);
            let follows = (wanted == template || scaled || (replaced && !grows)) && !rolling && !marks_only;
            if follows || found.is_none() {
                found = Some(*id);
            }
        }
        self.newer_disturbance(owner, found, step)
    }

    fn replicas_before(&self, step: &Step) -> Option<i64> {
        let steps = &self.object(step.object).steps;
        let earlier = steps.iter().map(|id| self.step(*id)).filter(|other| other.before(step) && other.version > 0);
        let known = earlier.filter(|other| other.digest.replicas.is_some());
        known.max_by_key(|other| other.version)?.digest.replicas
    }

    /// A disturbance counts before a change only when the owner had converged in between.
    fn newer_disturbance(&self, owner: ObjectId, change: Option<StepId>, step: &Step) -> Option<StepId> {
        let disturbed = self.last_before(&self.object(owner).disturbances, step);
        match (change, disturbed) {
            (Some(change), Some(disturbed)) => {
                let settled = !self.is_outstanding(change, self.step(disturbed));
                Some(if self.step(change).before(self.step(disturbed)) && settled { disturbed } else { change })
            }
            (change, disturbed) => change.or(disturbed),
        }
    }

    /// The last thing that happened to an owner: a change of its own, or a disturbance of what it owns.
    pub(super) fn latest_of_owner(&self, owner: ObjectId, step: &Step) -> Found {
        for ancestor in self.lineage(owner) {
            if let Some(latest) = self.latest_on(ancestor, step) {
                return Some((latest, Evidence::Ownership));
            }
        }
        None
    }

    /// The last change or disturbance of an object before a step.
    pub(super) fn latest_on(&self, object: ObjectId, step: &Step) -> Option<StepId> {
        let custom = self.object(object).custom;
        let change =
            if custom { self.latest_news(object, step) } else { self.last_before(&self.object(object).changes, step) };
        let object = self.object(object);
        let disturbed = self.last_before(&object.disturbances, step);
        match (change, disturbed) {
            (Some(change), Some(disturbed)) if self.step(change).before(self.step(disturbed)) => Some(disturbed),
            (change, disturbed) => change.or(disturbed),
        }
    }

    /// Whether a change had not converged yet when a step came.
    pub(crate) fn is_outstanding(&self, change: StepId, step: &Step) -> bool {
        let change = self.step(change);
        let steps = self.object(change.object).steps.iter().map(|id| self.step(*id));
        let mut between = steps.filter(|other| change.before(other) && other.before(step));
        !between.any(|other| other.version > 0 && other.digest.current && other.digest.content.is_some())
    }

    /// An explanation by an owner's change, with links to the owner's other changes that were still in flight.
    pub(super) fn with_outstanding_links(&self, owner: ObjectId, found: (StepId, Evidence), step: &Step) -> Explained {
        let changes = self.object(owner).changes.iter().copied();
        let others = changes
            .filter(|id| *id != found.0 && self.step(*id).before(step) && self.step(*id).effect != Effect::Created);
        let links = others.filter(|id| self.is_outstanding(*id, step)).collect();
        Explained { cause: Cause::Step(found.0, found.1), links }
    }
}
