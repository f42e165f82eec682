//! Which numbers there are.

use std::collections::BTreeMap;

use clew_store::Health;

use super::exposition::Exposition;
use super::requests::Requests;
use crate::live::LiveCounts;
use crate::report::{Counter, DropReport, Report, SourceState, StageReport};

/// What is shown.
pub(crate) struct Seen<'a> {
    pub(crate) report: &'a Report,
    /// What all parts dropped.
    pub(crate) drops: &'a [DropReport],
    pub(crate) store: Option<&'a Health>,
    pub(crate) live: LiveCounts,
    pub(crate) requests: &'a Requests,
}

/// Everything, in the text format.
#[expect(clippy::cast_precision_loss, reason = "the format has no whole numbers")]
pub(crate) fn exposed(seen: &Seen<'_>) -> String {
    let mut text = Exposition::default();
    text.family("build_info", "gauge", "The version of clew.");
    text.sample("build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1.0);
    pipeline(&mut text, seen.report);
    text.family("dropped_total", "counter", "What was not kept, by stage and reason.");
    for drop in seen.drops {
        text.sample("dropped_total", &[("stage", &drop.stage), ("reason", &drop.reason)], drop.count as f64);
    }
    counters(&mut text, &seen.report.counters);
    if let Some(health) = seen.store {
        store(&mut text, health);
    }
    text.family("live_readers", "gauge", "Readers of the live stream.");
    text.sample("live_readers", &[], seen.live.subscribers as f64);
    text.family("live_events_total", "counter", "Events of the live stream, for all readers together.");
    text.sample("live_events_total", &[], seen.live.sent as f64);
    requests(&mut text, seen.requests);
    text.finish()
}

#[expect(clippy::cast_precision_loss, reason = "the format has no whole numbers")]
fn pipeline(text: &mut Exposition, report: &Report) {
    text.family("source_up", "gauge", "Whether a source brings facts: 1, waits for the first: 0.5, or failed: 0.");
    for source in &report.sources {
        let labels = [("source", source.name.as_str()), ("kind", &source.kind), ("cluster", &source.cluster)];
        let value = match source.state {
            SourceState::Up => 1.0,
            SourceState::Waiting => 0.5,
            SourceState::Failed => 0.0,
        };
        text.sample("source_up", &labels, value);
    }
    let mut of_stages = |name: &str, help: &str, value: fn(&StageReport) -> f64| {
        text.family(name, "gauge", help);
        for stage in &report.stages {
            text.sample(name, &[("stage", &stage.name)], value(stage));
        }
    };
    of_stages("stage_queued", "What waits in a stage.", |stage| stage.queued as f64);
    of_stages("stage_capacity", "What fits into a stage.", |stage| stage.capacity as f64);
    of_stages("stage_lag_seconds", "The age of the oldest that waits in a stage.", |stage| stage.lag_seconds);
}

/// Counters of one name are one family, wherever they stand in the report.
#[expect(clippy::cast_precision_loss, reason = "the format has no whole numbers")]
fn counters(text: &mut Exposition, counters: &[Counter]) {
    let mut families: BTreeMap<&str, Vec<&Counter>> = BTreeMap::new();
    for counter in counters {
        families.entry(counter.name).or_default().push(counter);
    }
    for (name, members) in families {
        let name = format!("{name}_total");
        text.family(&name, "counter", members[0].help);
        for counter in members {
            let labels: Vec<(&str, &str)> =
                counter.labels.iter().map(|(name, value)| (*name, value.as_str())).collect();
            text.sample(&name, &labels, counter.value as f64);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the format has no whole numbers")]
fn store(text: &mut Exposition, health: &Health) {
    text.family("store_log_bytes", "gauge", "Bytes of the store's log.");
    text.sample("store_log_bytes", &[], health.log_bytes as f64);
    text.family("store_memory_bytes", "gauge", "Bytes of memory that recent data takes.");
    text.sample("store_memory_bytes", &[], health.memory_bytes as f64);
    text.family("store_lag_seconds", "gauge", "The age of the oldest data that is not in the lake yet.");
    text.sample("store_lag_seconds", &[], health.lag_seconds);
    text.family("store_rows", "gauge", "Rows of a table, in the lake and in memory.");
    for table in &health.tables {
        text.sample("store_rows", &[("table", &table.name), ("where", "lake")], table.rows as f64);
        text.sample("store_rows", &[("table", &table.name), ("where", "memory")], table.hot_rows as f64);
    }
    text.family("store_bytes", "gauge", "Bytes of a table in the lake.");
    for table in &health.tables {
        text.sample("store_bytes", &[("table", &table.name)], table.bytes as f64);
    }
    text.family("store_files", "gauge", "Files of a table in the lake.");
    for table in &health.tables {
        text.sample("store_files", &[("table", &table.name)], table.files as f64);
    }
}

#[expect(clippy::cast_precision_loss, reason = "the format has no whole numbers")]
fn requests(text: &mut Exposition, requests: &Requests) {
    let table = requests.table();
    text.family("http_requests_total", "counter", "Requests that were answered, by route and status.");
    for ((route, status), (count, _)) in &table {
        text.sample("http_requests_total", &[("route", route), ("status", &status.to_string())], *count as f64);
    }
    text.family("http_request_seconds_total", "counter", "The time until answers began, by route and status.");
    for ((route, status), (_, took)) in &table {
        let labels = [("route", route.as_str()), ("status", &status.to_string())];
        text.sample("http_request_seconds_total", &labels, took.as_secs_f64());
    }
}
