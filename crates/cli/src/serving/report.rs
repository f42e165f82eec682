//! What the running parts tell about themselves, in the words of status and metrics.

use std::sync::Arc;
use std::time::Instant;

use clew_collect::live::doctor::Running;
use clew_collect::live::{SourceKind, SourceState as LiveState, SourceStatus, Sources};
use clew_collect::receive::Received;
use clew_collect::replica::Standing;
use clew_collect::weaving::{WeavingCounts, WeavingState};
use clew_server::{Counter, DropReport, Report, SourceReport, SourceState, StageReport};

use super::doctor::Examined;
use super::rates::Rates;
use super::{WAITING, replicas};

/// The parts that have something to tell.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) sources: Sources,
    pub(super) weaving: WeavingCounts,
    pub(super) rates: Rates,
    pub(super) received: Arc<dyn Fn() -> Received + Send + Sync>,
    pub(super) examined: Examined,
    pub(super) standing: Standing,
}

impl Parts {
    /// How they are now.
    pub(super) fn report(&self) -> Report {
        let weaving = self.weaving.state();
        let received = (self.received)();
        let mut sources = self.sources.list();
        sources.push(otlp(&received));
        let drops: Vec<DropReport> = drops(&sources, &weaving).into_iter().chain(refused(&received)).collect();
        let lost = drops.iter().map(|drop| (format!("{}: {}", drop.stage, drop.reason), drop.count)).collect();
        let weave = StageReport {
            name: "weave".to_owned(),
            queued: weaving.waiting as u64,
            capacity: WAITING as u64,
            lag_seconds: weaving.lag_seconds,
        };
        let counted = counters(&sources, &weaving).into_iter().chain(taken(&received));
        Report {
            doctor: self.examined.checks(&Running::of(&sources, lost)),
            drops,
            counters: counted.chain(replicas::counters(&self.standing)).collect(),
            stages: [weave].into_iter().chain(replicas::stages(&self.standing)).collect(),
            not_ready: self.standing.filling(),
            sources: sources.into_iter().map(|status| self.source(status)).collect(),
        }
    }
}

impl Parts {
    fn source(&self, status: SourceStatus) -> SourceReport {
        let rate = self.rates.of(&status, Instant::now());
        SourceReport {
            kind: word(status.kind),
            name: status.name.into(),
            cluster: status.cluster.into(),
            state: match status.state {
                LiveState::Up => SourceState::Up,
                LiveState::Waiting => SourceState::Waiting,
                LiveState::Failed => SourceState::Failed,
            },
            last_seen: status.last_seen,
            rate,
            message: status.message,
        }
    }
}

/// Spans as a source: they say which cluster they are of only when they are woven.
fn otlp(received: &Received) -> SourceStatus {
    SourceStatus {
        cluster: "".into(),
        kind: SourceKind::Otlp,
        name: "spans".into(),
        state: if received.last_seen.is_some() { LiveState::Up } else { LiveState::Waiting },
        last_seen: received.last_seen,
        count: received.spans,
        dropped: 0,
        held: 0,
        message: String::new(),
    }
}

fn drops(sources: &[SourceStatus], weaving: &WeavingState) -> Vec<DropReport> {
    let dropped = sources.iter().filter(|source| source.dropped > 0).map(|source| DropReport {
        stage: word(source.kind),
        reason: format!("{} could not be taken", source.name),
        count: source.dropped,
    });
    let woven = [
        ("a fact of too many clusters, or unreadable", weaving.dropped),
        ("a turn that the store refused, given again", weaving.refused),
        ("a checkpoint that failed", weaving.checkpoints_failed),
    ];
    let woven = woven.into_iter().filter(|(_, count)| *count > 0).map(|(reason, count)| DropReport {
        stage: "weave".to_owned(),
        reason: reason.to_owned(),
        count,
    });
    dropped.chain(woven).collect()
}

fn counters(sources: &[SourceStatus], weaving: &WeavingState) -> Vec<Counter> {
    let seen = sources.iter().map(|source| Counter {
        name: "source_facts",
        help: "Facts that a source told.",
        labels: vec![
            ("cluster", source.cluster.to_string()),
            ("kind", word(source.kind)),
            ("source", source.name.to_string()),
        ],
        value: source.count,
    });
    let woven = weaving.clusters.iter().flat_map(|(cluster, stats)| {
        let label = || vec![("cluster", cluster.to_string())];
        [
            Counter { name: "woven_facts", help: "Facts that were woven.", labels: label(), value: stats.facts },
            Counter {
                name: "woven_native_spans",
                help: "Native spans that were woven.",
                labels: label(),
                value: stats.native_spans,
            },
            Counter {
                name: "weave_dropped_spans",
                help: "Native spans that did not fit into the weaver.",
                labels: label(),
                value: stats.dropped,
            },
        ]
    });
    seen.chain(woven).collect()
}

/// Spans and requests that were not taken.
fn refused(received: &Received) -> Vec<DropReport> {
    let spans = received.spans_refused.iter().map(|(reason, count)| (format!("span: {reason}"), *count));
    let cut = received.spans_cut.iter().map(|(reason, count)| (format!("cut: {reason}"), *count));
    let requests = received.requests_refused.iter().map(|(reason, count)| (format!("request: {reason}"), *count));
    let connections = [
        ("connection: too many".to_owned(), received.connections_refused),
        ("connection: too slow".to_owned(), received.connections_slow),
        ("connection: handshake failed".to_owned(), received.handshakes_failed),
    ];
    let all = spans.chain(cut).chain(requests).chain(connections);
    let told = all.filter(|(_, count)| *count > 0);
    told.map(|(reason, count)| DropReport { stage: "otlp".to_owned(), reason, count }).collect()
}

fn taken(received: &Received) -> [Counter; 3] {
    let counter = |name, help, value| Counter { name, help, labels: Vec::new(), value };
    [
        counter("otlp_spans", "Spans that were acknowledged.", received.spans),
        counter("otlp_requests", "Requests that were acknowledged.", received.requests),
        counter("otlp_bytes", "Bytes of protobuf that were acknowledged.", received.bytes),
    ]
}

/// The word that a kind of source is written with.
fn word(kind: impl serde::Serialize) -> String {
    let value = serde_json::to_value(kind).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
