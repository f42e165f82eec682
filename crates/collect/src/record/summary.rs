//! What a recording tells: notices while it runs, a summary at its end.

use std::sync::Arc;

use serde::Serialize;

use super::file::FileSummary;
use crate::capture::Source;

/// Something that the person who records should know, about one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// The source that it is about.
    pub source: Source,
    /// One line.
    pub text: String,
}

/// Where notices go.
pub type Notify = Arc<dyn Fn(&Notice) + Send + Sync>;

/// A source that could not be had, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotRecorded {
    /// The source.
    pub source: Source,
    /// Why, in one line.
    pub reason: String,
}

/// What a recording came to.
#[derive(Debug, Clone, Serialize)]
pub struct RecordSummary {
    /// The files written, in the order of the sources.
    pub files: Vec<FileSummary>,
    /// Lines that were not kept, since they could not be redacted or were too long.
    pub bad: u64,
    /// Resources that were watched at the end.
    pub watched: u64,
    /// Spans received.
    pub spans: u64,
    /// What was asked for and could not be had.
    pub not_recorded: Vec<NotRecorded>,
}
