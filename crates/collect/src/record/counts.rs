//! What a recording has seen so far, for the progress line and the summary.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use crate::capture::Source;

/// The counters of a recording, shared by its sources.
#[derive(Debug, Default)]
pub struct Counts {
    sources: [SourceCounts; 3],
    watched: AtomicU64,
    spans: AtomicU64,
}

/// The counters of one source.
#[derive(Debug, Default)]
pub struct SourceCounts {
    lines: AtomicU64,
    bytes: AtomicU64,
    bad: AtomicU64,
}

/// The counters at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// Lines queued for writing.
    pub lines: u64,
    /// Bytes in those lines.
    pub bytes: u64,
    /// Lines that could not be redacted or were too long, and so were not kept.
    pub bad: u64,
}

impl Counts {
    /// The counters of a source.
    pub fn of(&self, source: Source) -> &SourceCounts {
        &self.sources[source as usize]
    }

    /// How many resources are being watched.
    pub fn watched(&self) -> u64 {
        self.watched.load(Ordering::Relaxed)
    }

    /// How many spans were received.
    pub fn spans(&self) -> u64 {
        self.spans.load(Ordering::Relaxed)
    }

    pub(crate) fn set_watched(&self, resources: usize) {
        self.watched.store(resources as u64, Ordering::Relaxed);
    }

    pub(crate) fn add_spans(&self, spans: usize) {
        self.spans.fetch_add(spans as u64, Ordering::Relaxed);
    }
}

impl SourceCounts {
    /// The counters now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            lines: self.lines.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            bad: self.bad.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn add_line(&self, bytes: usize) {
        self.lines.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn add_bad(&self, lines: u64) {
        self.bad.fetch_add(lines, Ordering::Relaxed);
    }
}
