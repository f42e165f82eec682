//! Memory that ends: converged journeys leave, and what nobody caused leaves after a while.

use clew_model::Time;
use rustc_hash::FxHashSet;

use crate::Weaver;
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::output::State;
use crate::step::{Cause, Effect, Origin, StepId};

impl Weaver {
    /// Forgets what is settled for longer than late facts can be.
    pub(crate) fn forget(&mut self) {
        let now = self.now();
        let horizon = now.saturating_sub(self.config().keep_converged);
        let done = self
            .known
            .iter()
            .filter(|(_, known)| matches!(known.state, State::Converged | State::Failed) && known.end < horizon);
        let done: Vec<StepId> = done.map(|(root, _)| *root).collect();
        for root in done {
            self.known.remove(&root);
            let steps = self.journeys.remove(&root).unwrap_or_default();
            self.memory.forget_steps(&steps);
        }
        self.forget_roots();
        let mut old = Vec::new();
        while let Some(id) = self.background.front().copied() {
            let time = self.memory.find_step(id).map_or(Time::MIN, |step| step.time);
            if time >= horizon {
                break;
            }
            self.background.pop_front();
            let unplaced = self.memory.find_step(id).is_some_and(|step| step.cause == Cause::None && step.settled);
            if unplaced {
                old.push(id);
            }
        }
        self.memory.forget_steps(&old);
        self.memory.reviews.retain(|_, reviews| {
            reviews.retain(|review| review.time >= horizon);
            !reviews.is_empty()
        });
        let segments = now.saturating_sub(self.config().keep_segments.max(self.config().keep_converged));
        self.segments.forget_before(segments);
    }
}

impl Memory {
    /// Forgets steps; an object that lives on keeps its newest version, so that the next change has something to differ from.
    fn forget_steps(&mut self, steps: &[StepId]) {
        let objects: FxHashSet<ObjectId> =
            steps.iter().filter_map(|id| self.find_step(*id)).map(|step| step.object).collect();
        let newest: FxHashSet<StepId> = objects.iter().filter_map(|object| self.newest_version(*object)).collect();
        for id in steps {
            if self.find_step(*id).is_none() {
                continue;
            }
            if newest.contains(id) && self.object(self.step(*id).object).gone.is_none() {
                self.keep_as_baseline(*id);
            } else {
                self.forget_step(*id);
            }
        }
        for object in objects {
            let record = self.object_mut(object);
            record.events = Vec::new();
            record.calls = Vec::new();
            record.attempts = Vec::new();
            if record.gone.is_some() || record.placeholder {
                self.forget_ended(object);
            }
        }
    }

    /// Forgets an object that is gone, once no journey needs it: its baseline has nothing to be compared with any more.
    fn forget_ended(&mut self, object: ObjectId) {
        let mut next = Some(object);
        while let Some(object) = next.take() {
            let record = self.object(object);
            let (steps, owner) = (record.steps.clone(), record.owner);
            let is_baseline = |id: &StepId| self.step(*id).origin == Origin::Listed && self.step(*id).journey.is_none();
            if !record.children.is_empty() || !steps.iter().all(is_baseline) {
                return;
            }
            for id in steps {
                self.forget_step(id);
            }
            self.forget_object(object);
            // The owner may be over as well, and have waited for this one only.
            next = owner.filter(|owner| self.object(*owner).gone.is_some());
        }
    }

    fn newest_version(&self, object: ObjectId) -> Option<StepId> {
        let steps = self.object(object).steps.iter().copied().filter(|id| self.step(*id).version > 0);
        steps.max_by_key(|id| self.step(*id).version)
    }

    fn keep_as_baseline(&mut self, id: StepId) {
        if let Some(audit) = self.step_mut(id).audit.take() {
            self.drop_audit(&audit, id);
        }
        let step = self.step_mut(id);
        step.origin = Origin::Listed;
        step.effect = Effect::Attached;
        step.cause = Cause::None;
        step.journey = None;
        step.links.clear();
        step.extra = None;
        step.managers.shrink_to_fit();
        let (object, content) = (step.object, step.digest.content);
        let record = self.object_mut(object);
        record.changes.retain(|other| *other != id);
        record.bodies.retain(|body| Some(body.content) == content);
        record.bodies.shrink_to_fit();
        record.steps.shrink_to_fit();
        record.children.shrink_to_fit();
        record.disturbances = Vec::new();
    }
}
