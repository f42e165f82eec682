//! Facts at another time: a recording that is replayed as if it happened now.

use clew_model::Time;

use super::{Effect, Fact, ObjectState, Pod};

impl Fact {
    /// Moves every time in the fact by so many nanoseconds.
    pub fn shift(&mut self, nanos: i64) {
        let by = |time: &mut Time| *time = time.saturating_add(nanos);
        match self {
            Self::Write(write) => {
                by(&mut write.received);
                by(&mut write.done);
                match &mut write.effect {
                    Effect::Object(state) => shift_state(state, &by),
                    Effect::Deleted(states) => states.iter_mut().for_each(|state| shift_state(state, &by)),
                    Effect::Scaled { .. } | Effect::Done | Effect::Refused { .. } => {}
                }
            }
            Self::Observation(observation) => {
                by(&mut observation.time);
                shift_state(&mut observation.state, &by);
            }
            Self::Event(event) => by(&mut event.time),
            Self::Native(spans) => by(&mut spans.start),
            Self::Cri(call) => {
                by(&mut call.start);
                by(&mut call.end);
            }
            Self::Admission(admission) => by(&mut admission.time),
            Self::Step(step) => {
                by(&mut step.start);
                step.end.iter_mut().for_each(by);
            }
        }
    }

    /// When it happened, as its source tells.
    pub fn time(&self) -> Time {
        match self {
            Self::Write(write) => write.received,
            Self::Observation(observation) => observation.time,
            Self::Event(event) => event.time,
            Self::Native(spans) => spans.start,
            Self::Cri(call) => call.start,
            Self::Admission(admission) => admission.time,
            Self::Step(step) => step.start,
        }
    }
}

fn shift_state(state: &mut ObjectState, by: &impl Fn(&mut Time)) {
    state.created.iter_mut().for_each(by);
    state.deleting.iter_mut().for_each(by);
    state.conditions.iter_mut().filter_map(|condition| condition.time.as_mut()).for_each(by);
    state.managers.iter_mut().for_each(|manager| by(&mut manager.time));
    if let Some(pod) = &mut state.pod {
        shift_pod(pod, by);
    }
}

fn shift_pod(pod: &mut Pod, by: &impl Fn(&mut Time)) {
    let moments = [&mut pod.scheduled, &mut pod.sandbox, &mut pod.initialized, &mut pod.ready];
    moments.into_iter().flatten().for_each(by);
    for container in &mut pod.containers {
        [&mut container.started, &mut container.finished].into_iter().flatten().for_each(by);
    }
}
