//! The trace contexts that objects carry, by UID: what an owner hands to the objects that it owns.

use std::sync::{PoisonError, RwLock};

use clew_model::{SpanId, TraceContext, TraceId, ids};
use clew_weave::fact::{Observation, Observed, Uid};
use rustc_hash::FxHashMap;

/// More objects with a context than that are not remembered: about 100 bytes each.
const MOST: usize = 1_000_000;

/// Remembers which object carries which trace.
#[derive(Debug, Default)]
pub struct Contexts {
    traces: RwLock<FxHashMap<Uid, TraceId>>,
}

impl Contexts {
    /// The context of what an object causes: its own trace, below its own span.
    pub fn of(&self, uid: &str) -> Option<TraceContext> {
        let traces = self.traces.read().unwrap_or_else(PoisonError::into_inner);
        let trace = *traces.get(&Uid::new(uid))?;
        let span: SpanId = ids::object_span(trace, uid);
        Some(TraceContext::new(trace, span, TraceContext::SAMPLED))
    }

    /// Learns from what the watch saw.
    pub(super) fn learn(&self, observation: &Observation) {
        let uid = &observation.state.uid;
        let mut traces = self.traces.write().unwrap_or_else(PoisonError::into_inner);
        match observation.state.context {
            Some(trace) if observation.observed != Observed::Deleted => {
                if traces.len() < MOST || traces.contains_key(uid) {
                    traces.insert(uid.clone(), trace);
                }
            }
            _ => drop(traces.remove(uid)),
        }
    }

    /// How many objects are remembered.
    pub fn len(&self) -> usize {
        self.traces.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use clew_model::Time;
    use clew_weave::fact::ObjectState;

    use super::*;

    #[test]
    fn an_object_hands_on_its_trace_until_it_is_gone() {
        let contexts = Contexts::default();
        let trace = TraceId::from_bytes([7; 16]);
        let state = ObjectState { uid: "u".into(), context: Some(trace), ..ObjectState::default() };
        let mut seen = Observation { time: Time::default(), observed: Observed::Added, state };
        contexts.learn(&seen);
        let context = contexts.of("u").expect("a context");
        assert_eq!((context.trace_id, context.is_sampled()), (trace, true));
        assert_eq!(contexts.of("other"), None);
        seen.observed = Observed::Deleted;
        contexts.learn(&seen);
        assert!(contexts.is_empty());
    }
}
