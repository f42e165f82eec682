//! Native traces: which journey each belongs to.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use clew_model::{Time, TraceId};
use compact_str::CompactString;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::fact::{CriCall, NativeSpans, Uid};

/// How many native traces may wait for the fact that places them.
const MAX_TRACES: usize = 200_000;
/// How far time moves on between two looks for what is too old.
const SWEEP: i64 = 5_000_000_000;

/// What is known of native traces.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Segments {
    starts: FxHashMap<TraceId, Time>,
    of_audit: FxHashMap<Uid, Vec<TraceId>>,
    of_pod: FxHashMap<Uid, Vec<TraceId>>,
    /// Traces that a trace is linked to: the caller's, when the API server did not trust it as a parent.
    linked: FxHashMap<TraceId, Vec<TraceId>>,
    of_review: FxHashMap<Uid, Vec<TraceId>>,
    of_runtime: FxHashMap<CompactString, Vec<TraceId>>,
    /// The sandboxes and containers of each pod.
    runtimes: FxHashMap<Uid, Vec<CompactString>>,
    /// When what is too old was last looked for.
    swept: Time,
    /// Spans of traces that did not fit.
    pub(crate) dropped: u64,
}

impl Segments {
    /// Adds spans of a native trace; gives back what they may belong to.
    pub(crate) fn add(&mut self, spans: &NativeSpans) -> Keys {
        let is_full = self.starts.len() >= MAX_TRACES;
        let is_new = match self.starts.entry(spans.trace) {
            Entry::Vacant(_) if is_full => {
                self.dropped += u64::from(spans.spans);
                return Keys::default();
            }
            Entry::Vacant(place) => {
                place.insert(spans.start);
                true
            }
            Entry::Occupied(mut known) => {
                let start = known.get_mut();
                *start = spans.start.min(*start);
                false
            }
        };
        // A pod that lives long has thousands of traces: one that is new is not looked for among them.
        let file_trace = if is_new { push } else { file };
        if let Some(audit) = &spans.audit {
            file_trace(&mut self.of_audit, audit.clone(), spans.trace);
        }
        if let Some(pod) = &spans.pod {
            file_trace(&mut self.of_pod, pod.clone(), spans.trace);
        }
        if let Some(review) = &spans.review {
            file_trace(&mut self.of_review, review.clone(), spans.trace);
        }
        if let Some(runtime) = &spans.runtime {
            file(&mut self.of_runtime, runtime.clone(), spans.trace);
            if let Some(pod) = &spans.pod {
                file(&mut self.runtimes, pod.clone(), runtime.clone());
            }
        }
        for link in &spans.links {
            file(&mut self.linked, spans.trace, *link);
        }
        Keys { audit: spans.audit.clone(), pod: spans.pod.clone() }
    }

    /// Learns which pod a sandbox or container belongs to.
    pub(crate) fn learn(&mut self, call: &CriCall) {
        if let (Some(runtime), Some(pod)) = (&call.runtime, &call.pod) {
            file(&mut self.runtimes, pod.clone(), runtime.clone());
        }
    }

    /// The traces of an audited request, and of the caller that they are linked to.
    pub(crate) fn of_audit(&self, audit: &Uid) -> Vec<TraceId> {
        let mut traces = self.of_audit.get(audit).cloned().unwrap_or_default();
        let linked: Vec<TraceId> =
            traces.iter().filter_map(|trace| self.linked.get(trace)).flatten().copied().collect();
        traces.extend(linked.into_iter().filter(|trace| self.starts.contains_key(trace)));
        traces
    }

    /// The traces of an admission review.
    pub(crate) fn of_review(&self, review: &Uid) -> &[TraceId] {
        self.of_review.get(review).map_or(&[], Vec::as_slice)
    }

    /// The traces of a pod, each with its beginning.
    pub(crate) fn of_pod(&self, pod: &Uid) -> Vec<(TraceId, Time)> {
        let direct = self.of_pod.get(pod).into_iter().flatten();
        let runtimes = self.runtimes.get(pod).into_iter().flatten();
        let through = runtimes.filter_map(|runtime| self.of_runtime.get(runtime)).flatten();
        let traces = direct.chain(through).copied();
        traces.map(|trace| (trace, self.starts.get(&trace).copied().unwrap_or_default())).collect()
    }

    /// How many native traces are held.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Forgets what began before a time: it was placed, or is background.
    ///
    /// All is looked at, so that is not done at every call.
    pub(crate) fn forget_before(&mut self, time: Time) {
        if time.since(self.swept) < SWEEP {
            return;
        }
        self.swept = time;
        self.starts.retain(|_, start| *start >= time);
        let starts = &self.starts;
        let keep = |traces: &mut Vec<TraceId>| {
            traces.retain(|trace| starts.contains_key(trace));
            !traces.is_empty()
        };
        self.of_audit.retain(|_, traces| keep(traces));
        self.of_pod.retain(|_, traces| keep(traces));
        self.of_review.retain(|_, traces| keep(traces));
        self.of_runtime.retain(|_, traces| keep(traces));
        self.linked.retain(|trace, _| starts.contains_key(trace));
        let held = &self.of_runtime;
        self.runtimes.retain(|_, runtimes| {
            runtimes.retain(|runtime| held.contains_key(runtime));
            !runtimes.is_empty()
        });
    }
}

/// What native spans may belong to.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pub(crate) audit: Option<Uid>,
    pub(crate) pod: Option<Uid>,
}

fn push<K: Hash + Eq, V>(index: &mut FxHashMap<K, Vec<V>>, key: K, value: V) {
    index.entry(key).or_default().push(value);
}

/// Files a value unless it is there; if it is, it most likely came last.
fn file<K: Hash + Eq, V: PartialEq>(index: &mut FxHashMap<K, Vec<V>>, key: K, value: V) {
    let values = index.entry(key).or_default();
    if !values.iter().rev().any(|other| *other == value) {
        values.push(value);
    }
}
