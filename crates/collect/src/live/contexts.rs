//! The trace contexts that objects carry, by UID: what an owner hands to the objects that it owns.

use std::collections::VecDeque;
use std::sync::{PoisonError, RwLock};

use clew_model::{SpanId, TraceContext, TraceId, ids};
use clew_weave::fact::{Observation, Observed, Uid};
use rustc_hash::FxHashMap;

/// More objects with a context than that are not remembered: about 100 bytes each.
const MOST: usize = 1_000_000;

/// How many contexts are remembered that the watch has not seen yet: a moment's worth.
const MOST_GIVEN: usize = 4096;

/// Remembers which object carries which trace.
#[derive(Debug, Default)]
pub struct Contexts {
    traces: RwLock<Traces>,
}

#[derive(Debug, Default)]
struct Traces {
    /// By what the watch saw.
    seen: FxHashMap<Uid, TraceId>,
    /// Given by the webhook, and not seen yet: a controller may be faster than the watch.
    given: FxHashMap<Uid, TraceId>,
    /// The order in which they were given.
    order: VecDeque<Uid>,
}

impl Contexts {
    /// The context of what an object causes: its own trace, below its own span.
    pub fn of(&self, uid: &str) -> Option<TraceContext> {
        let traces = self.traces.read().unwrap_or_else(PoisonError::into_inner);
        let key = Uid::new(uid);
        let trace = *traces.given.get(&key).or_else(|| traces.seen.get(&key))?;
        let span: SpanId = ids::object_span(trace, uid);
        Some(TraceContext::new(trace, span, TraceContext::SAMPLED))
    }

    /// Notes a context that an object is about to get.
    pub fn give(&self, uid: &str, trace: TraceId) {
        let mut traces = self.traces.write().unwrap_or_else(PoisonError::into_inner);
        let uid = Uid::new(uid);
        if traces.given.insert(uid.clone(), trace).is_none() {
            traces.order.push_back(uid);
        }
        // Also what the API server refused in the end goes this way.
        while traces.order.len() > MOST_GIVEN {
            if let Some(oldest) = traces.order.pop_front() {
                traces.given.remove(&oldest);
            }
        }
    }

    /// Learns from what the watch saw.
    pub(super) fn learn(&self, observation: &Observation) {
        let uid = &observation.state.uid;
        let mut traces = self.traces.write().unwrap_or_else(PoisonError::into_inner);
        let context = observation.state.context.filter(|_| observation.observed != Observed::Deleted);
        if traces.given.get(uid).is_some_and(|given| Some(*given) == context) {
            traces.given.remove(uid);
            traces.order.retain(|other| other != uid);
        }
        match context {
            Some(trace) if traces.seen.len() < MOST || traces.seen.contains_key(uid) => {
                traces.seen.insert(uid.clone(), trace);
            }
            Some(_) => {}
            None => drop(traces.seen.remove(uid)),
        }
    }

    /// How many objects are remembered.
    pub fn len(&self) -> usize {
        self.traces.read().unwrap_or_else(PoisonError::into_inner).seen.len()
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

    #[test]
    fn what_was_given_is_known_before_the_watch_sees_it_and_not_for_ever() {
        let contexts = Contexts::default();
        let trace = TraceId::from_bytes([7; 16]);
        contexts.give("u", trace);
        assert_eq!(contexts.of("u").map(|context| context.trace_id), Some(trace));
        let state = ObjectState { uid: "u".into(), context: Some(trace), ..ObjectState::default() };
        contexts.learn(&Observation { time: Time::default(), observed: Observed::Added, state });
        assert_eq!(contexts.traces.read().expect("lock").given.len(), 0);
        assert_eq!(contexts.len(), 1);
        for number in 0..=MOST_GIVEN {
            contexts.give(&number.to_string(), trace);
        }
        assert!(contexts.of("0").is_none() && contexts.of("1").is_some());
    }
}
