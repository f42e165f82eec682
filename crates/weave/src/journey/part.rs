//! An object's part in a journey: from the first change to its convergence.

use clew_model::Time;
use rustc_hash::FxHashMap;

use crate::object::ObjectId;
use crate::step::{Cause, Effect, Origin, Step, StepId};

use super::Builder;

/// An object's part in a journey.
pub(super) struct Part {
    pub(super) object: ObjectId,
    /// The first change of the object in the journey.
    pub(super) first: StepId,
    /// The last one.
    pub(super) last: StepId,
    pub(super) start: Time,
    /// When it converged, was gone, or was overtaken by another journey's change.
    pub(super) end: Option<Time>,
    /// Whether another journey's change overtook it before it converged.
    pub(super) overtaken: bool,
    /// When it gave up, if it did and did not recover.
    pub(super) failed: Option<Time>,
}

impl Builder<'_> {
    /// The parts, in the order of their beginnings.
    pub(super) fn parts(&self) -> Vec<Part> {
        let mut spans: FxHashMap<ObjectId, (StepId, StepId)> = FxHashMap::default();
        let mut order = Vec::new();
        for id in &self.steps {
            let step = self.memory.step(*id);
            // A journey shows what it began with, though a commit or a status changes no object by itself.
            if !step.is_change() && *id != self.root {
                continue;
            }
            let part = spans.entry(step.object).or_insert_with(|| {
                order.push(step.object);
                (*id, *id)
            });
            if self.memory.step(part.1).effect != Effect::Deleted {
                part.1 = *id;
            }
        }
        order.into_iter().map(|object| self.part(object, spans[&object])).collect()
    }

    fn part(&self, object: ObjectId, (first, last): (StepId, StepId)) -> Part {
        let start = self.memory.step(first).time;
        let converged = self.converged(object, last);
        let overtaken = self.overtaken(object, last);
        let failed = self.failed(object, last).filter(|failed| {
            converged.is_none_or(|converged| converged < *failed)
                && overtaken.is_none_or(|overtaken| *failed < overtaken)
        });
        let (end, overtaken) = match (converged, overtaken) {
            (Some(converged), Some(overtaken)) if overtaken < converged => (Some(overtaken), true),
            (None, Some(overtaken)) => (Some(overtaken), true),
            (converged, _) => (converged, false),
        };
        Part { object, first, last, start, end: end.map(|end| end.max(start)), overtaken, failed }
    }

    /// When the object reached what its last change in the journey asked for.
    fn converged(&self, object: ObjectId, last: StepId) -> Option<Time> {
        let last = self.memory.step(last);
        let record = self.memory.object(object);
        if last.effect == Effect::Deleted {
            let seen = record.steps.iter().map(|id| self.memory.step(*id)).find(|step| step.origin == Origin::Gone);
            let finished = record.gone.map(|gone| seen.map_or(gone, |seen| seen.time.min(gone)));
            return finished.map(|gone| gone.max(last.done));
        }
        let reached = |step: &Step| step.digest.current && step.digest.content.is_some() && !step.digest.deleting;
        if reached(last) {
            return Some(last.done);
        }
        let later = record.steps.iter().map(|id| self.memory.step(*id));
        later
            .filter(|step| step.version > last.version && reached(step))
            .min_by_key(|step| step.version)
            .map(|step| step.done)
    }

    /// When the object last gave up on what its last change in the journey asked for.
    fn failed(&self, object: ObjectId, last: StepId) -> Option<Time> {
        let last = self.memory.step(last);
        if last.effect == Effect::Deleted {
            return None;
        }
        let later = self.memory.object(object).steps.iter().map(|id| self.memory.step(*id));
        later.filter(|step| step.version >= last.version && step.digest.failed).map(|step| step.done).min()
    }

    /// When a change of another journey took over.
    fn overtaken(&self, object: ObjectId, last: StepId) -> Option<Time> {
        let step = self.memory.step(last);
        if step.effect == Effect::Deleted {
            return None;
        }
        let changes = self.memory.object(object).changes.iter().map(|id| self.memory.step(*id));
        changes.filter(|other| step.before(other) && other.journey != step.journey).map(|other| other.time).min()
    }

    /// The object whose change caused this part, if that is in the journey too.
    pub(super) fn parent_of(&self, part: &Part) -> Option<ObjectId> {
        match self.memory.step(part.first).cause {
            Cause::Step(cause, _) => Some(self.memory.step(cause).object).filter(|object| *object != part.object),
            Cause::Root(_) | Cause::None => None,
        }
    }
}
