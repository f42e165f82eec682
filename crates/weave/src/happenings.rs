//! Facts that are no writes: Kubernetes events, runtime calls, admissions, steps of commands.

use crate::fact::{Admission, CommandStep, CriCall, KubeEvent};
use crate::memory::Memory;
use crate::object::{Happening, ObjectId};

/// How many events of one object are kept.
const MAX_EVENTS: usize = 64;
/// How many runtime calls of one object are kept.
const MAX_CALLS: usize = 256;
/// How many commands' steps are kept.
const MAX_STEPS: usize = 1024;

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

    /// Remembers the trace that an admission saw, so that objects which carry it are joined to the admitted change.
    pub(crate) fn admitted(&mut self, admission: &Admission) -> Option<ObjectId> {
        let object = self.intern_object(admission.uid.as_ref()?);
        let trace = admission.trace?;
        let change = self.object(object).changes.last().copied()?;
        self.contexts.entry(trace).or_insert(change);
        Some(object)
    }

    /// Remembers a step of a command.
    pub(crate) fn commanded(&mut self, step: CommandStep) {
        let known = self.commands.iter().any(|other| other.span == step.span && other.end == step.end);
        if known {
            return;
        }
        self.commands.retain(|other| other.span != step.span);
        if self.commands.len() >= MAX_STEPS {
            self.commands.pop_front();
        }
        self.commands.push_back(step);
    }
}
