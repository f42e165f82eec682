//! Steps under what they are looked up by: their writer, the context that they carried, the revision that was fetched.

use crate::actor::ActorId;
use crate::memory::{Dealings, Memory};
use crate::step::StepId;

impl Memory {
    /// Files a step under its writer.
    pub(crate) fn file_dealing(&mut self, id: StepId) {
        let (actor, time) = (self.step(id).actor, self.step(id).time);
        if let Some(actor) = actor {
            self.dealings.entry(self.actors.identity(actor)).or_default().insert((time, id));
        }
    }

    /// Takes a step from its writer, before its writer or its time changes.
    pub(crate) fn unfile_dealing(&mut self, id: StepId) {
        let (actor, time) = (self.step(id).actor, self.step(id).time);
        let Some(identity) = actor.map(|actor| self.actors.identity(actor)) else { return };
        if let Some(dealings) = self.dealings.get_mut(&identity) {
            dealings.remove(&(time, id));
            if dealings.is_empty() {
                self.dealings.remove(&identity);
            }
        }
    }

    /// What the same user did with the same program, by time.
    pub(crate) fn dealings_of(&self, actor: ActorId) -> Option<&Dealings> {
        self.dealings.get(&self.actors.identity(actor))
    }

    /// Files a step under the trace context that it carried.
    pub(crate) fn file_context(&mut self, id: StepId) {
        let Some(context) = self.step(id).extra().and_then(|extra| extra.context) else { return };
        let steps = self.contexts.entry(context).or_default();
        if !steps.contains(&id) {
            steps.push(id);
        }
    }

    /// Files a step under the revision that it says was fetched.
    pub(crate) fn file_revision(&mut self, id: StepId) {
        let Some(revision) = self.step(id).extra().and_then(|extra| extra.revision.as_deref()) else { return };
        let steps = self.revisions.entry(revision.key()).or_default();
        if !steps.contains(&id) {
            steps.push(id);
        }
    }

    /// Takes a step from its revision, before it is forgotten or made a baseline.
    pub(crate) fn unfile_revision(&mut self, id: StepId) {
        let Some(revision) = self.step(id).extra().and_then(|extra| extra.revision.as_deref()) else { return };
        let key = revision.key();
        let Some(steps) = self.revisions.get_mut(&key) else { return };
        steps.retain(|other| *other != id);
        if steps.is_empty() {
            self.revisions.remove(&key);
        }
    }

    /// Takes a step from the trace context that it carried, before it is forgotten or made a baseline.
    pub(crate) fn unfile_context(&mut self, id: StepId) {
        let Some(context) = self.step(id).extra().and_then(|extra| extra.context) else { return };
        let Some(steps) = self.contexts.get_mut(&context) else { return };
        steps.retain(|other| *other != id);
        if steps.is_empty() {
            self.contexts.remove(&context);
        }
    }
}
