//! Two sources that tell of the same version become one step.

use clew_model::Time;

use crate::fact::{ObjectState, Uid};
use crate::ingest::digest;
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Cause, Origin, Step, StepId};

impl Memory {
    /// Adds a written version, or merges it with what the watch saw of it.
    pub(crate) fn place(&mut self, step: Step) {
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
        self.unfile_dealing(id);
        let known = self.step_mut(id);
        let digest = if write.digest.content.is_some() { write.digest } else { known.digest };
        let extra = write.extra.or_else(|| known.extra.take());
        let managers = std::mem::take(&mut known.managers);
        let (cause, effect, journey) = (known.cause, known.effect, known.journey);
        *known = Step { digest, effect, cause, journey, managers, extra, ..write };
        self.file_dealing(id);
        self.file_context(id);
        self.file_revision(id);
        self.resort(object);
    }

    pub(crate) fn merge_observation(&mut self, id: StepId, origin: Origin, state: &ObjectState, time: Time) {
        let seen = digest(state);
        self.unfile_dealing(id);
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
        self.file_dealing(id);
        self.resort(object);
    }

    /// The step that made this version of the object, if one is known.
    pub(crate) fn same_version(&self, object: ObjectId, version: u64, gone: bool) -> Option<StepId> {
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

    fn unfile_audit(&mut self, id: StepId, audit: &Uid) {
        self.step_mut(id).audit = None;
        self.drop_audit(audit, id);
    }
}
