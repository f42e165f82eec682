//! The table itself: the steps and nested spans of one outermost span, in the order in which they began.

use crate::attribute::{Attribute, Text};
use smallvec::SmallVec;
use std::time::{Duration, Instant, SystemTime};

/// The most rows of a table, so that a long-lived span cannot grow without end.
pub(super) const MAX_ROWS: usize = 512;

pub(super) type Fields = SmallVec<[Attribute; 2]>;

/// A span or a step of one.
pub(super) struct Row {
    /// The row of the span that this belongs to; none for the outermost.
    pub(super) parent: Option<u32>,
    pub(super) name: Text,
    pub(super) fields: Fields,
    /// When a span began, or when a step was done.
    pub(super) at: Instant,
    /// None for a step.
    pub(super) span: Option<SpanRow>,
}

/// What a span's row has beyond a step's.
#[derive(Default)]
pub(super) struct SpanRow {
    pub(super) end: Option<Instant>,
    pub(super) threshold: Threshold,
}

/// From which duration on a span is worth a log line.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Threshold {
    /// The span has not ended, or nobody asked for a log line.
    #[default]
    Never,
    /// At least this long.
    AtLeast(Duration),
}

/// All rows of one outermost span.
pub(super) struct Table {
    /// What the monotonic clock of the rows means.
    pub(super) began: (Instant, SystemTime),
    pub(super) rows: Vec<Row>,
    pub(super) left_out: u32,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { began: (Instant::now(), SystemTime::now()), rows: Vec::new(), left_out: 0 }
    }

    /// Makes the table as new while it keeps its memory.
    pub(super) fn restart(&mut self) {
        self.rows.clear();
        self.left_out = 0;
        self.began = (Instant::now(), SystemTime::now());
    }

    /// Adds a span or a step; none when the table is full.
    pub(super) fn add(&mut self, parent: Option<u32>, name: Text, fields: Fields, is_span: bool) -> Option<u32> {
        if self.rows.len() >= MAX_ROWS {
            self.left_out += 1;
            return None;
        }
        let index = u32::try_from(self.rows.len()).ok()?;
        let span = is_span.then(SpanRow::default);
        self.rows.push(Row { parent, name, fields, at: Instant::now(), span });
        Some(index)
    }

    /// Ends a span.
    pub(super) fn end(&mut self, row: u32, threshold: Threshold) {
        let Some(span) = self.rows.get_mut(row as usize).and_then(|row| row.span.as_mut()) else { return };
        if span.end.is_some() {
            return;
        }
        span.end = Some(Instant::now());
        span.threshold = threshold;
    }

    /// The rows directly below a span.
    pub(super) fn below(&self, parent: u32) -> impl Iterator<Item = (u32, &Row)> {
        let first = parent as usize + 1;
        self.rows
            .iter()
            .enumerate()
            .skip(first)
            .filter(move |(_, row)| row.parent == Some(parent))
            .filter_map(|(index, row)| Some((u32::try_from(index).ok()?, row)))
    }

    /// The wall clock at a row's time.
    pub(super) fn wall(&self, at: Instant) -> SystemTime {
        self.began.1 + at.saturating_duration_since(self.began.0)
    }
}
