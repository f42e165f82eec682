//! The phases of a pod: queued, sandbox, image, create, start, readiness, running if it ends by itself; terminating.

use clew_model::{Time, ids};

use crate::object::Object;
use crate::step::{Effect, Step, StepId};

use super::waterfall::Waterfall;
use super::{Builder, Part};

impl Builder<'_> {
    pub(super) fn phases(&self, part: &Part, waterfall: &mut Waterfall) {
        let record = self.memory.object(part.object);
        if record.pod.is_none() {
            return;
        }
        let mut marks = match self.memory.step(part.first).effect {
            Effect::Created => self.making(part, record),
            Effect::Deleted => Vec::new(),
            Effect::Changed | Effect::Attached | Effect::Reported => return,
        };
        if self.memory.step(part.last).effect == Effect::Deleted {
            let asked = self.memory.step(part.last).time;
            marks.retain(|(_, from, _)| *from < asked);
            marks.push(("terminating", asked, record.gone));
        }
        let parent = waterfall.of_object[&part.object];
        for (ordinal, (name, from, to)) in (0..).zip(marks) {
            let mut span = self.blank(ids::derived_span(parent, name, ordinal), name, from);
            span.parent = Some(parent);
            span.end = to;
            span.attributes.push("clew.kind", "phase");
            span.attributes.push("clew.of", self.label(part.object).as_str());
            waterfall.spans.push(span);
        }
    }

    /// The phases of a pod's making: each ends where the next begins.
    fn making(&self, part: &Part, record: &Object) -> Vec<(&'static str, Time, Option<Time>)> {
        let pod = record.pod.as_deref();
        let made = self.memory.step(part.first).done;
        let bound = self.binding(record);
        let event = |reason: &str| self.event_time(record, reason);
        let started = pod.and_then(|pod| pod.containers.iter().filter_map(|container| container.started).max());
        let (ready, finished) = (self.ready(record), self.finished(record));
        // A job's pod is seen as current when it has done its work: what came before was that work.
        let ran = finished.is_some_and(|finished| ready.is_none_or(|ready| finished <= ready));
        let points = [
            ("queued", bound.or_else(|| event("Scheduled")).or_else(|| pod?.scheduled)),
            ("sandbox", event("Pulling").or_else(|| event("Pulled")).or_else(|| pod?.sandbox)),
            ("image", event("Pulled")),
            ("create", event("Created")),
            ("start", event("Started").or(started)),
            ("readiness", ready.filter(|_| !ran)),
            ("running", if ran { ready.max(finished) } else { finished }),
        ];
        let mut from = made;
        let mut phases = Vec::new();
        for (name, at) in points {
            let Some(at) = at else { continue };
            let to = at.max(from);
            phases.push((name, from, Some(to)));
            from = to;
        }
        if ready.is_none() && finished.is_none() && part.end.is_none() {
            phases.push((waiting_phase(record), from, None));
        }
        phases
    }

    /// When the scheduler bound the pod, to the microsecond where the audit log has it.
    fn binding(&self, record: &Object) -> Option<Time> {
        let steps = record.steps.iter().map(|id| self.memory.step(*id));
        steps.filter(|step| self.memory.symbols.text(step.subresource) == "binding").map(|step| step.done).min()
    }

    fn event_time(&self, record: &Object, reason: &str) -> Option<Time> {
        let symbol = self.memory.symbols.find(reason)?;
        record.events.iter().filter(|event| event.reason == symbol).map(|event| event.time).min()
    }

    /// When the last of a pod's containers ended, if all did and nobody had asked for the pod's deletion.
    fn finished(&self, record: &Object) -> Option<Time> {
        let containers = &record.pod.as_deref()?.containers;
        let ends: Option<Vec<Time>> = containers.iter().map(|container| container.finished).collect();
        let end = ends?.into_iter().max()?;
        // Containers end on a full second.
        let asked = |step: &Step| step.effect == Effect::Deleted && step.time.since(end) < 1_000_000_000;
        let deleted = record.steps.iter().any(|id| asked(self.memory.step(*id)));
        (!deleted).then_some(end)
    }

    /// When a version first showed the pod ready.
    fn ready(&self, record: &Object) -> Option<Time> {
        let steps = record.steps.iter().copied().filter(|id: &StepId| self.memory.step(*id).version > 0);
        let ready = steps.filter(|id| {
            let digest = &self.memory.step(*id).digest;
            digest.current && !digest.deleting && digest.content.is_some()
        });
        ready.map(|id| self.memory.step(id).done).min()
    }
}

/// The phase that a pod is held in.
fn waiting_phase(record: &Object) -> &'static str {
    let reason = record.progress.reason().map_or("", |reason| reason.reason.as_str());
    match reason {
        "Unschedulable" | "NotScheduled" | "SchedulerError" => "queued",
        "ErrImagePull" | "ImagePullBackOff" | "InvalidImageName" | "ErrImageNeverPull" => "image",
        "CrashLoopBackOff" => "back-off",
        "NotStarted" => "sandbox",
        _ => "readiness",
    }
}
