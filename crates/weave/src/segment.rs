//! Native traces: which journey each belongs to.

use clew_model::{Time, TraceId};
use compact_str::CompactString;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::fact::{CriCall, NativeSpan, Uid};

/// How many native traces may wait for the fact that places them.
const MAX_TRACES: usize = 200_000;

/// What is known of native traces.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Segments {
    starts: FxHashMap<TraceId, Time>,
    of_audit: FxHashMap<Uid, Vec<TraceId>>,
    of_pod: FxHashMap<Uid, Vec<TraceId>>,
    /// Traces that a trace is linked to: the caller's, when the API server did not trust it as a parent.
    linked: FxHashMap<TraceId, Vec<TraceId>>,
    of_runtime: FxHashMap<CompactString, Vec<TraceId>>,
    runtime_pods: FxHashMap<CompactString, Uid>,
    /// Traces that did not fit.
    pub(crate) dropped: u64,
}

impl Segments {
    /// Adds a native span; gives back what it may belong to.
    pub(crate) fn add(&mut self, span: &NativeSpan) -> Keys {
        if !self.starts.contains_key(&span.trace) && self.starts.len() >= MAX_TRACES {
            self.dropped += 1;
            return Keys::default();
        }
        let start = self.starts.entry(span.trace).or_insert(span.start);
        *start = span.start.min(*start);
        if let Some(audit) = &span.audit {
            file(&mut self.of_audit, audit.clone(), span.trace);
        }
        if let Some(pod) = &span.pod {
            file(&mut self.of_pod, pod.clone(), span.trace);
        }
        if let Some(runtime) = &span.runtime {
            file(&mut self.of_runtime, runtime.clone(), span.trace);
            if let Some(pod) = &span.pod {
                self.runtime_pods.insert(runtime.clone(), pod.clone());
            }
        }
        for link in &span.links {
            file(&mut self.linked, span.trace, *link);
        }
        Keys { audit: span.audit.clone(), pod: span.pod.clone() }
    }

    /// Learns which pod a sandbox or container belongs to.
    pub(crate) fn learn(&mut self, call: &CriCall) {
        if let (Some(runtime), Some(pod)) = (&call.runtime, &call.pod) {
            self.runtime_pods.insert(runtime.clone(), pod.clone());
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

    /// The traces of a pod, each with its beginning.
    pub(crate) fn of_pod(&self, pod: &Uid) -> Vec<(TraceId, Time)> {
        let direct = self.of_pod.get(pod).into_iter().flatten();
        let runtimes = self.runtime_pods.iter().filter(|(_, owner)| *owner == pod);
        let through = runtimes.filter_map(|(runtime, _)| self.of_runtime.get(runtime)).flatten();
        let traces = direct.chain(through).copied();
        traces.map(|trace| (trace, self.starts.get(&trace).copied().unwrap_or_default())).collect()
    }

    /// How many native traces are held.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Forgets what began before a time: it was placed, or is background.
    pub(crate) fn forget_before(&mut self, time: Time) {
        self.starts.retain(|_, start| *start >= time);
        let starts = &self.starts;
        let keep = |traces: &mut Vec<TraceId>| {
            traces.retain(|trace| starts.contains_key(trace));
            !traces.is_empty()
        };
        self.of_audit.retain(|_, traces| keep(traces));
        self.of_pod.retain(|_, traces| keep(traces));
        self.of_runtime.retain(|_, traces| keep(traces));
        self.linked.retain(|trace, _| starts.contains_key(trace));
        let runtimes = &self.of_runtime;
        self.runtime_pods.retain(|runtime, _| runtimes.contains_key(runtime));
    }
}

/// What a native span may belong to.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pub(crate) audit: Option<Uid>,
    pub(crate) pod: Option<Uid>,
}

fn file<K: std::hash::Hash + Eq>(index: &mut FxHashMap<K, Vec<TraceId>>, key: K, trace: TraceId) {
    let traces = index.entry(key).or_default();
    if !traces.contains(&trace) {
        traces.push(trace);
    }
}
