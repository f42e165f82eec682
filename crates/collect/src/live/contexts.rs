//! The trace contexts that objects carry, by UID, or by name for a moment: what an owner hands to the objects that it owns.

use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

use clew_model::{SpanId, TraceContext, TraceId, ids};
use clew_weave::fact::{ObjectState, Observation, Observed, Uid};
use compact_str::CompactString;
use rustc_hash::FxHashMap;

/// More objects with a context than that are not remembered: about 100 bytes each.
const MOST: usize = 1_000_000;

/// How many contexts are remembered that the watch has not seen yet: a moment's worth.
const MOST_GIVEN: usize = 4096;

/// An object by its name: all that is known of one that is about to be made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Named {
    /// The group of its kind.
    pub group: CompactString,
    /// Its kind.
    pub kind: CompactString,
    /// Its namespace, empty for the cluster's own.
    pub namespace: CompactString,
    /// Its name.
    pub name: CompactString,
}

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
    given: Given<Uid>,
    /// Given to objects that are made, which get their UID after the webhook was asked.
    made: Given<Named>,
}

/// The last contexts that were given.
#[derive(Debug)]
struct Given<K> {
    traces: FxHashMap<K, TraceId>,
    order: VecDeque<K>,
}

impl<K> Default for Given<K> {
    fn default() -> Self {
        Self { traces: FxHashMap::default(), order: VecDeque::new() }
    }
}

impl<K: Clone + Eq + Hash> Given<K> {
    fn insert(&mut self, object: K, trace: TraceId) {
        if self.traces.insert(object.clone(), trace).is_none() {
            self.order.push_back(object);
        }
        // Also what the API server refused in the end goes this way.
        while self.order.len() > MOST_GIVEN {
            if let Some(oldest) = self.order.pop_front() {
                self.traces.remove(&oldest);
            }
        }
    }

    /// Forgets what the watch has seen.
    fn seen(&mut self, object: &K, trace: TraceId) {
        if self.traces.get(object) == Some(&trace) {
            self.traces.remove(object);
            self.order.retain(|other| other != object);
        }
    }
}

impl Contexts {
    /// The context of what an object causes: its own trace, below its own span.
    pub fn of(&self, uid: &str) -> Option<TraceContext> {
        let traces = self.traces.read().unwrap_or_else(PoisonError::into_inner);
        let key = Uid::new(uid);
        let trace = *traces.given.traces.get(&key).or_else(|| traces.seen.get(&key))?;
        Some(below(trace, uid))
    }

    /// The same for an object that was made a moment ago, and is known by its name only.
    pub fn of_new(&self, object: &Named, uid: &str) -> Option<TraceContext> {
        let traces = self.traces.read().unwrap_or_else(PoisonError::into_inner);
        Some(below(*traces.made.traces.get(object)?, uid))
    }

    /// Notes a context that an object is about to get.
    pub fn give(&self, uid: &str, trace: TraceId) {
        self.traces.write().unwrap_or_else(PoisonError::into_inner).given.insert(Uid::new(uid), trace);
    }

    /// Notes a context with which an object is about to be made.
    pub fn give_new(&self, object: Named, trace: TraceId) {
        self.traces.write().unwrap_or_else(PoisonError::into_inner).made.insert(object, trace);
    }

    /// Learns from what the watch saw.
    pub(super) fn learn(&self, observation: &Observation) {
        let state = &observation.state;
        let mut traces = self.traces.write().unwrap_or_else(PoisonError::into_inner);
        let context = state.context.filter(|_| observation.observed != Observed::Deleted);
        let Some(trace) = context else {
            traces.seen.remove(&state.uid);
            return;
        };
        traces.given.seen(&state.uid, trace);
        if !traces.made.order.is_empty() {
            traces.made.seen(&Named::of(state), trace);
        }
        if traces.seen.len() < MOST || traces.seen.contains_key(&state.uid) {
            traces.seen.insert(state.uid.clone(), trace);
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

impl Named {
    fn of(state: &ObjectState) -> Self {
        Self {
            group: state.kind.group.as_str().into(),
            kind: state.kind.kind.as_str().into(),
            namespace: state.namespace.clone(),
            name: state.name.clone(),
        }
    }
}

fn below(trace: TraceId, uid: &str) -> TraceContext {
    let span: SpanId = ids::object_span(trace, uid);
    TraceContext::new(trace, span, TraceContext::SAMPLED)
}

#[cfg(test)]
mod tests {
    use clew_model::Time;

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
        assert_eq!(contexts.traces.read().expect("lock").given.traces.len(), 0);
        assert_eq!(contexts.len(), 1);
        for number in 0..=MOST_GIVEN {
            contexts.give(&number.to_string(), trace);
        }
        assert!(contexts.of("0").is_none() && contexts.of("1").is_some());
    }

    #[test]
    fn an_object_that_is_made_is_known_by_its_name_until_the_watch_knows_its_uid() {
        let contexts = Contexts::default();
        let (trace, other) = (TraceId::from_bytes([7; 16]), TraceId::from_bytes([8; 16]));
        let state = ObjectState { uid: "u".into(), name: "web".into(), context: Some(other), ..ObjectState::default() };
        let named = Named::of(&state);
        contexts.give_new(named.clone(), trace);
        let known = |uid| contexts.of_new(&named, uid).map(|context| context.trace_id);
        let mut seen = Observation { time: Time::default(), observed: Observed::Modified, state };
        contexts.learn(&seen);
        assert_eq!(known("v"), Some(trace), "what was seen is one that had the name before");
        seen.state.context = Some(trace);
        contexts.learn(&seen);
        assert_eq!((known("u"), contexts.of("u").map(|context| context.trace_id)), (None, Some(trace)));
    }
}
