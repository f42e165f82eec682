//! Pods of a set: each was made for a replica that was asked for, or in the place of one that was lost.

use clew_model::Evidence;

use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Effect, Step, StepId};

use super::Found;

impl Memory {
    /// Whether a change of a set raised its replicas.
    pub(super) fn asks_for_replicas(&self, id: StepId) -> bool {
        self.step(id).digest.replicas.is_some()
    }

    /// Why a set's controller made a pod: the last raise that is not used up, else the pod that was lost and not replaced yet.
    pub(super) fn made_for_replicas(&self, owner: ObjectId, step: &Step) -> Found {
        let raises = self.raises(owner, step);
        let Some((raise, amount)) = raises.last().copied() else { return self.latest_of_owner(owner, step) };
        let made = self.made_since(owner, raise, step);
        let found = if made < amount { Some(raise) } else { self.loss_after(owner, raise, made - amount, step) };
        let found = found.or(Some(raise));
        found.map(|found| (found, Evidence::Ownership))
    }

    /// The changes that raised an owner's replicas before a step, each with by how many.
    fn raises(&self, owner: ObjectId, step: &Step) -> Vec<(StepId, i64)> {
        let mut replicas = 0;
        let mut raises = Vec::new();
        for id in self.object(owner).changes.iter().filter(|id| self.step(**id).before(step)) {
            let Some(asked) = self.step(*id).digest.replicas else { continue };
            if asked > replicas {
                raises.push((*id, asked - replicas));
            }
            replicas = asked;
        }
        raises
    }

    fn made_since(&self, owner: ObjectId, raise: StepId, step: &Step) -> i64 {
        let raise = self.step(raise);
        let children = self.object(owner).children.iter();
        let made = children.filter_map(|child| self.creation_of(*child)).map(|id| self.step(id));
        let count = made.filter(|made| raise.before(made) && made.before(step)).count();
        i64::try_from(count).unwrap_or(i64::MAX)
    }

    /// The pod that was lost, other than by its set's own doing, and that so many others were made in the place of.
    fn loss_after(&self, owner: ObjectId, raise: StepId, replaced: i64, step: &Step) -> Option<StepId> {
        let raise = self.step(raise);
        let disturbances = self.object(owner).disturbances.iter().copied();
        let mut losses: Vec<StepId> = disturbances
            .filter(|id| {
                let loss = self.step(*id);
                loss.effect == Effect::Deleted && raise.before(loss) && loss.before(step)
            })
            .collect();
        losses.sort_by_key(|id| {
            let loss = self.step(*id);
            (loss.version.max(loss.adopted), loss.time, self.object(loss.object).uid.clone())
        });
        let place = usize::try_from(replaced).unwrap_or_default();
        losses.get(place).or(losses.last()).copied()
    }
}
