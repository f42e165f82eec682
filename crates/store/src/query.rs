//! Questions to a store.

use std::time::Duration;

use clew_model::{Time, TraceId};
use compact_str::CompactString;

use crate::{Column, Field, Filter};

/// From the first moment on, up to but without the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeRange {
    /// None: since ever.
    pub from: Option<Time>,
    /// None: to the newest.
    pub to: Option<Time>,
}

/// Where the next page of journeys begins: after this one, in falling order of start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The start of the last journey of the page before.
    pub start: Time,
    /// Its id.
    pub journey: TraceId,
}

/// Which journeys, newest first.
#[derive(Debug, Clone, Default)]
pub struct JourneyQuery {
    /// Journeys that began in this time.
    pub range: TimeRange,
    /// Which of them.
    pub filter: Filter,
    /// Where to go on.
    pub after: Option<Cursor>,
    /// How many at most.
    pub limit: usize,
}

/// Which spans, newest first.
#[derive(Debug, Clone, Default)]
pub struct SpanQuery {
    /// Spans that began in this time.
    pub range: TimeRange,
    /// Which of them.
    pub filter: Filter,
    /// How many at most.
    pub limit: usize,
    /// Whether spans that clew made are wanted beside the native ones.
    pub woven: bool,
}

/// Which runs, newest first.
#[derive(Debug, Clone, Default)]
pub struct RunQuery {
    /// Runs that began in this time.
    pub range: TimeRange,
    /// The command, if only one is wanted.
    pub command: Option<CompactString>,
    /// The version, if only one is wanted.
    pub version: Option<CompactString>,
    /// How many at most.
    pub limit: usize,
}

/// Counts and percentiles of durations, by columns and over time.
#[derive(Debug, Clone)]
pub struct StatisticsQuery {
    /// Of what.
    pub of: StatisticsOf,
    /// In which time.
    pub range: TimeRange,
    /// Which of them.
    pub filter: Filter,
    /// One series for each combination of these.
    pub by: Vec<Field>,
    /// The width of a time bucket; none for one bucket in all.
    pub bucket: Option<Duration>,
    /// How many series at most, the largest first.
    pub limit: usize,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatisticsOf {
    /// Journeys.
    Journeys,
    /// Spans, native and woven.
    Spans,
    /// Runs.
    Runs,
}

/// What a SQL query may cost.
#[derive(Debug, Clone, Copy)]
pub struct SqlLimits {
    /// Rows of the answer.
    pub rows: usize,
    /// Time.
    pub time: Duration,
}

impl Default for SqlLimits {
    fn default() -> Self {
        Self { rows: 10_000, time: Duration::from_secs(30) }
    }
}

impl From<Column> for Field {
    fn from(column: Column) -> Self {
        Self::Column(column)
    }
}
