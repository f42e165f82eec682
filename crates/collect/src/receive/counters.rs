//! What a receiver counted, for people and for metrics.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use clew_model::Time;
use clew_store::otlp::{Counts, Reason};
use serde::Serialize;

use super::refusal::{KINDS, Refusal};
use crate::weaving::Clock;

/// The counters of a receiver, shared by its connections.
#[derive(Debug, Default)]
pub(super) struct Counters {
    connections: AtomicU64,
    connections_refused: AtomicU64,
    connections_slow: AtomicU64,
    handshakes_failed: AtomicU64,
    accepts_failed: AtomicU64,
    requests: AtomicU64,
    bytes: AtomicU64,
    spans: AtomicU64,
    /// When spans were last taken; 0 before.
    last: AtomicI64,
    by_reason: [AtomicU64; Reason::ALL.len()],
    refused: [AtomicU64; KINDS],
    words: [std::sync::OnceLock<&'static str>; KINDS],
}

/// What a receiver counted since it started.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Received {
    /// Connections that were taken.
    pub connections: u64,
    /// Connections that were closed at once, since there were too many.
    pub connections_refused: u64,
    /// Connections that were closed because they did nothing for too long.
    pub connections_slow: u64,
    /// TLS handshakes that failed.
    pub handshakes_failed: u64,
    /// Connections that the system could not give, for want of file descriptors.
    pub accepts_failed: u64,
    /// Requests that were acknowledged.
    pub requests: u64,
    /// Bytes of protobuf that were acknowledged, unpacked.
    pub bytes: u64,
    /// Spans that were acknowledged.
    pub spans: u64,
    /// When some were last acknowledged.
    pub last_seen: Option<Time>,
    /// Spans that were refused, by reason: see [`Reason`].
    pub spans_refused: Vec<(&'static str, u64)>,
    /// Attributes, events, links and texts that were left out or cut, by reason: see [`Reason`].
    pub spans_cut: Vec<(&'static str, u64)>,
    /// Requests that were refused, by reason.
    pub requests_refused: RefusedRequests,
}

/// How many requests were refused for which reason; reasons that never occurred are left out.
pub type RefusedRequests = Vec<(&'static str, u64)>;

fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}

impl Counters {
    pub(super) fn connection(&self) {
        add(&self.connections, 1);
    }

    pub(super) fn connection_refused(&self) {
        add(&self.connections_refused, 1);
    }

    pub(super) fn connection_slow(&self) {
        add(&self.connections_slow, 1);
    }

    pub(super) fn handshake_failed(&self) {
        add(&self.handshakes_failed, 1);
    }

    pub(super) fn accept_failed(&self) {
        add(&self.accepts_failed, 1);
    }

    /// What was refused or left out of a request that was acknowledged, and what was taken.
    pub(super) fn acknowledged(&self, counts: &Counts, bytes: usize) {
        add(&self.requests, 1);
        add(&self.bytes, bytes as u64);
        add(&self.spans, counts.taken);
        if counts.taken > 0 {
            self.last.store(Clock::wall().as_nanos(), Ordering::Relaxed);
        }
        for (reason, counter) in Reason::ALL.into_iter().zip(&self.by_reason) {
            add(counter, counts.of(reason));
        }
    }

    pub(super) fn refused(&self, refusal: &Refusal) {
        let (place, word) = refusal.kind();
        self.words[place].get_or_init(|| word);
        add(&self.refused[place], 1);
    }

    /// The counts now.
    pub(super) fn snapshot(&self) -> Received {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let reasons = || Reason::ALL.into_iter().zip(&self.by_reason);
        let of = |(reason, counter): (Reason, &AtomicU64)| (reason.word(), get(counter));
        let refused = self.words.iter().zip(&self.refused);
        Received {
            connections: get(&self.connections),
            connections_refused: get(&self.connections_refused),
            connections_slow: get(&self.connections_slow),
            handshakes_failed: get(&self.handshakes_failed),
            accepts_failed: get(&self.accepts_failed),
            requests: get(&self.requests),
            bytes: get(&self.bytes),
            spans: get(&self.spans),
            last_seen: Some(self.last.load(Ordering::Relaxed)).filter(|nanos| *nanos > 0).map(Time::from_nanos),
            spans_refused: reasons().filter(|(reason, _)| reason.is_refusal()).map(of).collect(),
            spans_cut: reasons().filter(|(reason, _)| !reason.is_refusal()).map(of).collect(),
            requests_refused: refused.filter_map(|(word, counter)| Some((*word.get()?, get(counter)))).collect(),
        }
    }
}

impl Received {
    /// How many requests were refused for this reason.
    pub fn refused(&self, reason: &str) -> u64 {
        self.requests_refused.iter().find(|(word, _)| *word == reason).map_or(0, |(_, count)| *count)
    }

    /// How many spans were refused for this reason.
    pub fn span_refusals(&self, reason: Reason) -> u64 {
        self.spans_refused.iter().find(|(word, _)| *word == reason.word()).map_or(0, |(_, count)| *count)
    }
}
