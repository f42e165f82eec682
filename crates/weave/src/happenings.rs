//! Facts that are no writes: Kubernetes events, runtime calls, admissions, steps of commands.

use clew_model::{Time, TraceId};
use serde::{Deserialize, Serialize};

use crate::fact::{Admission, CommandStep, CriCall, KubeEvent, Uid};
use crate::memory::Memory;
use crate::object::{Happening, ObjectId};

/// How many events of one object are kept.
const MAX_EVENTS: usize = 64;
/// How many runtime calls of one object are kept.
const MAX_CALLS: usize = 256;
/// How many commands are remembered.
const MAX_COMMANDS: usize = 1024;
/// How many admission reviews of one name are remembered.
const MAX_REVIEWS: usize = 32;

impl Memory {
    /// Adds a Kubernetes event to the object that it is about.
    pub(crate) fn happened(&mut self, event: KubeEvent) -> Option<ObjectId> {
        let object = self.intern_object(&event.about);
        if self.object(object).kind == crate::symbol::Symbol::default() {
            self.object_mut(object).kind = self.symbols.intern(&event.kind);
        }
        let reason = self.symbols.intern(&event.reason);
        let source = self.symbols.intern(&event.source);
        let happening = Happening {
            uid: event.uid,
            count: event.count,
            time: event.time,
            reason,
            source,
            message: event.message,
            warning: event.warning,
        };
        let events = &mut self.object_mut(object).events;
        // Both API groups, and the audit log, tell of the same event: the first to tell knows best when.
        if let Some(known) =
            events.iter_mut().find(|known| known.uid == happening.uid && known.count == happening.count)
        {
            let news = happening.time < known.time;
            known.time = known.time.min(happening.time);
            return news.then_some(object);
        }
        events.push(happening);
        events.sort_by(|one, other| (one.time, &one.uid, one.count).cmp(&(other.time, &other.uid, other.count)));
        if events.len() > MAX_EVENTS {
            events.remove(0);
        }
        Some(object)
    }

    /// Adds a runtime call to its pod.
    pub(crate) fn called(&mut self, call: CriCall) -> Option<ObjectId> {
        let object = self.intern_object(call.pod.as_ref()?);
        let calls = &mut self.object_mut(object).calls;
        if calls.len() >= MAX_CALLS || calls.iter().any(|known| known.span == call.span) {
            return None;
        }
        calls.push(call);
        calls.sort_by_key(|call| (call.start, call.span));
        Some(object)
    }

    /// Remembers an admission review, so that what its webhook did is joined to the write that it admitted.
    pub(crate) fn admitted(&mut self, admission: &Admission) {
        let resource = self.symbols.intern(&admission.kind.resource);
        let namespace = self.symbols.intern(&admission.namespace);
        let reviews = self.reviews.entry((resource, namespace, crate::mention(&admission.name))).or_default();
        if reviews.len() >= MAX_REVIEWS || reviews.iter().any(|known| known.uid == admission.review) {
            return;
        }
        reviews.push(Review { uid: admission.review.clone(), time: admission.time, trace: admission.trace });
    }

    /// Remembers the trace of a command.
    pub(crate) fn commanded(&mut self, step: &CommandStep) {
        if self.commands.contains(&step.trace) {
            return;
        }
        if self.commands.len() >= MAX_COMMANDS {
            self.commands.pop_front();
        }
        self.commands.push_back(step.trace);
    }
}

/// An admission review of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Review {
    pub(crate) uid: Uid,
    pub(crate) time: Time,
    pub(crate) trace: Option<TraceId>,
}
