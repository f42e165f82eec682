//! What the process tells about itself: whoever wires the pipeline fills it in, status and metrics show it.

use std::sync::Arc;

use clew_model::Time;
use serde::Serialize;

/// Asked for the state of the pipeline whenever status or metrics are.
pub type Reporter = Arc<dyn Fn() -> Report + Send + Sync>;

/// How the pipeline is at one moment.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Where facts come from.
    pub sources: Vec<SourceReport>,
    /// The queues on their way.
    pub stages: Vec<StageReport>,
    /// What was not kept.
    pub drops: Vec<DropReport>,
    /// What `clew doctor` would say.
    pub doctor: Vec<Check>,
    /// Anything else that is counted.
    pub counters: Vec<Counter>,
    /// Why requests must not come yet; none when all is ready.
    pub not_ready: Option<String>,
}

/// One source of facts.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceReport {
    /// Its name: `audit webhook`, `watch`, `otlp grpc`.
    pub name: String,
    /// `audit`, `watch`, `otlp`, `capture`.
    pub kind: String,
    /// Whose facts it brings; empty for all.
    pub cluster: String,
    /// How it is.
    pub state: SourceState,
    /// When something last came.
    pub last_seen: Option<Time>,
    /// Facts or spans a second, lately.
    pub rate: f64,
    /// What there is to say: the address, or why it failed.
    pub message: String,
}

/// How a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceState {
    /// It brings facts.
    Up,
    /// Nothing came yet.
    Waiting,
    /// It is broken; the message says why.
    Failed,
}

/// One queue.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StageReport {
    /// `intake`, `weave`, `store`.
    pub name: String,
    /// What waits in it.
    pub queued: u64,
    /// What fits into it.
    pub capacity: u64,
    /// How old the oldest that waits is.
    pub lag_seconds: f64,
}

/// What was not kept, for one reason.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DropReport {
    /// Where.
    pub stage: String,
    /// Why.
    pub reason: String,
    /// How often.
    pub count: u64,
}

/// One thing that was checked, and what to do about it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What was checked.
    pub check: String,
    /// `ok`, `warning`, `failed`.
    pub state: String,
    /// What was found.
    pub message: String,
    /// What to do; empty if nothing.
    pub fix: String,
}

/// A number that only grows, for metrics.
#[derive(Debug, Clone)]
pub struct Counter {
    /// Its name without the prefix `clew_` and the suffix `_total`: `facts`.
    pub name: &'static str,
    /// What it counts, as a sentence.
    pub help: &'static str,
    /// Its labels: a small, closed set of values each.
    pub labels: Vec<(&'static str, String)>,
    /// The count.
    pub value: u64,
}
