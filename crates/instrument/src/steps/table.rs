//! The table itself: the steps and nested spans of one outermost span, in the order in which they began.

use crate::attribute::{Attribute, Text};
use crate::trace::Recording;
use smallvec::SmallVec;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The most rows of a table, so that a long-lived span cannot grow without end.
pub(super) const MAX_ROWS: usize = 512;

pub(super) type Fields = SmallVec<[Attribute; 2]>;

/// A span or a step of one.
pub(super) struct Row {
    /// The row of the span that this belongs to; none for the outermost.
    pub(super) parent: Option<u32>,
    pub(super) content: Content,
}

/// What a row shows.
pub(super) enum Content {
    /// A step of a span that is not recorded: what was done by then.
    Step { label: Label, at: Instant },
    /// A span that is not recorded.
    Span { label: Label, at: Instant, end: Option<Instant>, threshold: Threshold },
    /// A recorded span, which has its own name, times and events: nothing of it is kept twice.
    Recorded { recording: Arc<Recording>, threshold: Threshold },
}

/// A name and what is known beside it.
pub(super) struct Label {
    pub(super) name: Text,
    pub(super) fields: Fields,
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
#[derive(Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    pub(super) left_out: u32,
    /// Whether any span was over its threshold: without one there is nothing to log.
    pub(super) slow: bool,
    /// What the monotonic clock of the rows means on the wall.
    began: Option<(Instant, SystemTime)>,
}

impl Table {
    /// Makes the table as new while it keeps its memory.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.left_out = 0;
        self.slow = false;
        self.began = None;
    }

    /// Adds a row; none when the table is full.
    pub(super) fn add(&mut self, parent: Option<u32>, content: impl FnOnce() -> Content) -> Option<u32> {
        if self.rows.len() >= MAX_ROWS {
            self.left_out += 1;
            return None;
        }
        let index = u32::try_from(self.rows.len()).ok()?;
        self.rows.push(Row { parent, content: content() });
        Some(index)
    }

    /// Ends a span.
    pub(super) fn end(&mut self, row: u32, limit: Threshold) {
        let Some(row) = self.rows.get_mut(row as usize) else { return };
        let took = match &mut row.content {
            Content::Step { .. } => return,
            Content::Span { at, end, threshold, .. } => {
                let now = Instant::now();
                *threshold = limit;
                *end = Some(now);
                now.saturating_duration_since(*at)
            }
            Content::Recorded { recording, threshold } => {
                *threshold = limit;
                match limit {
                    Threshold::Never => return,
                    Threshold::AtLeast(_) => recording.took().unwrap_or_default(),
                }
            }
        };
        self.slow |= matches!(limit, Threshold::AtLeast(threshold) if took >= threshold);
    }

    /// The wall clock at a row's time.
    pub(super) fn wall(&mut self, at: Instant) -> SystemTime {
        let (instant, wall) = *self.began.get_or_insert_with(|| (Instant::now(), SystemTime::now()));
        match at.checked_duration_since(instant) {
            Some(after) => wall + after,
            None => wall - instant.saturating_duration_since(at),
        }
    }
}
