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
    /// Forgets steps; an object keeps the versions that another differs from: its newest, and those before one that stays.
    fn forget_steps(&mut self, steps: &[StepId]) {
        let going: FxHashSet<StepId> = steps.iter().copied().filter(|id| self.find_step(*id).is_some()).collect();
        let objects: FxHashSet<ObjectId> = going.iter().map(|id| self.step(*id).object).collect();
        for object in &objects {
            let kept = self.compared_with(*object, &going);
            let steps = self.object(*object).steps.iter().copied();
            let settled: Vec<StepId> = steps.filter(|id| going.contains(id) || self.is_baseline(*id)).collect();
            for id in settled {
                if !kept.contains(&id) {
                    self.forget_step(id);
                } else if going.contains(&id) {
                    self.keep_as_baseline(id);
                }
            }
            self.forget_bodies(*object);
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

    /// The versions of an object that are settled and that something must still be compared with.
    fn compared_with(&self, object: ObjectId, going: &FxHashSet<StepId>) -> FxHashSet<StepId> {
        let record = self.object(object);
        let versions = record.steps.iter().copied().filter(|id| self.step(*id).version > 0);
        let mut versions: Vec<StepId> = versions.collect();
        versions.sort_by_key(|id| self.step(*id).version);
        let settled = |id: &StepId| going.contains(id) || self.is_baseline(*id);
        let needed = |at: usize| match versions.get(at + 1) {
            Some(next) => !settled(next),
            None => record.gone.is_none(),
        };
        (0..versions.len()).filter(|at| settled(&versions[*at]) && needed(*at)).map(|at| versions[at]).collect()
    }

    /// Whether a step is only there for later ones to differ from.
    fn is_baseline(&self, id: StepId) -> bool {
        let step = self.step(id);
        step.origin == Origin::Listed && step.journey.is_none()
    }

    /// Forgets the bodies of versions that are forgotten.
    fn forget_bodies(&mut self, object: ObjectId) {
        let steps = self.object(object).steps.clone();
        let contents: Vec<_> = steps.iter().filter_map(|id| self.step(*id).digest.content).collect();
        let record = self.object_mut(object);
        record.bodies.retain(|body| contents.contains(&body.content));
        record.bodies.shrink_to_fit();
        record.steps.shrink_to_fit();
        record.children.shrink_to_fit();
    }

    /// Forgets an object that is gone, once no journey needs it: its baseline has nothing to be compared with any more.
    fn forget_ended(&mut self, object: ObjectId) {
        let mut next = Some(object);
        while let Some(object) = next.take() {
            let record = self.object(object);
            let (steps, owner) = (record.steps.clone(), record.owner);
            if !record.children.is_empty() || !steps.iter().all(|id| self.is_baseline(*id)) {
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

    fn keep_as_baseline(&mut self, id: StepId) {
        self.unfile_context(id);
        self.unfile_revision(id);
        if let Some(actor) = self.step(id).actor {
            self.actors.forget_habit(actor, id);
        }
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
        step.creates = false;
        step.managers.shrink_to_fit();
        let object = step.object;
        let record = self.object_mut(object);
        record.changes.retain(|other| *other != id);
        record.reports.retain(|other| *other != id);
        record.disturbances = Vec::new();
    }
}
