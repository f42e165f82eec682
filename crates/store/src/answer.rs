//! What a store answers.

use clew_model::{Span, Time, TraceId};
use clew_weave::{Edge, Journey};
use compact_str::CompactString;
use serde::Serialize;

use crate::query::Cursor;

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// Where the next page begins; none on the last.
    pub next: Option<Cursor>,
}

/// Where a span is: all that a search needs of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Its trace.
    pub trace: TraceId,
    /// When it began.
    pub start: Time,
    /// Whether clew made it: then its trace is a journey.
    pub woven: bool,
}

/// The newest spans of some sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hits {
    /// Where they are, newest first.
    pub hits: Vec<Hit>,
    /// Whether there may be older ones.
    pub more: bool,
}

/// A journey as a list shows it, with what clew knows about it besides.
#[derive(Debug, Clone, PartialEq)]
pub struct JourneyRow {
    /// The cluster.
    pub cluster: CompactString,
    /// The journey.
    pub journey: Journey,
    /// How many of its spans failed.
    pub errors: u64,
}

/// A journey with all that hangs on it.
#[derive(Debug, Clone)]
pub struct JourneyDetail {
    /// The cluster.
    pub cluster: CompactString,
    /// The journey.
    pub journey: Journey,
    /// The spans that clew made.
    pub spans: Vec<Span>,
    /// Why each hangs where it hangs, and which native traces belong to it.
    pub edges: Vec<Edge>,
    /// The spans of its segments, as received.
    pub native: Vec<Span>,
}

/// One series of statistics.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The values of the columns that it was asked by, in their order.
    pub key: Vec<Option<CompactString>>,
    /// Its buckets in the order of time; without those in which nothing happened.
    pub buckets: Vec<Bucket>,
}

/// What happened in one span of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Bucket {
    /// Its beginning.
    pub start: Time,
    /// How many.
    pub count: u64,
    /// How many of them failed or are stuck.
    pub errors: u64,
    /// How long they took; none if none has ended.
    pub duration: Option<Quantiles>,
}

/// The distribution of durations, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantiles {
    /// The median.
    pub p50: f64,
    /// Nine of ten took no longer.
    pub p90: f64,
    /// Nineteen of twenty took no longer.
    pub p95: f64,
    /// Ninety-nine of a hundred took no longer.
    pub p99: f64,
    /// The longest.
    pub max: f64,
    /// The sum.
    pub sum: f64,
}

/// How a store is.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// The folder or bucket.
    pub location: String,
    /// Each table.
    pub tables: Vec<TableHealth>,
    /// Bytes of the log.
    pub log_bytes: u64,
    /// Bytes of memory that recent data takes.
    pub memory_bytes: u64,
    /// Age of the oldest data that is not in the lake yet, in seconds.
    pub lag_seconds: f64,
    /// How long data is kept, and how much of it.
    pub retention: Kept,
    /// What was not kept, by reason.
    pub drops: Vec<(String, u64)>,
    /// What went wrong lately, newest first.
    pub problems: Vec<String>,
}

/// How long each class of data is kept, in seconds, and how large the tables may grow; none without a limit.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// Journeys and runs.
    pub journeys_seconds: Option<u64>,
    /// Native spans of journeys.
    pub segments_seconds: Option<u64>,
    /// Native spans that belong to no journey.
    pub background_seconds: Option<u64>,
    /// Bytes of all tables.
    pub bytes: Option<u64>,
}

/// How one table is.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableHealth {
    /// `spans`, `journeys`, `edges`, `runs`.
    pub name: String,
    /// Its version in the lake.
    pub version: u64,
    /// Files in the lake.
    pub files: u64,
    /// Rows in the lake.
    pub rows: u64,
    /// Bytes in the lake.
    pub bytes: u64,
    /// Rows in memory.
    pub hot_rows: u64,
}

/// How far a long work is: told now and then.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// What is being done.
    pub doing: String,
    /// How much is done.
    pub done: u64,
    /// Of how much.
    pub of: u64,
}
