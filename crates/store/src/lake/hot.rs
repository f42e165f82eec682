//! What is in memory: the rows of segments that are not in the lake yet, and journeys that may still change.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use clew_model::TraceId;
use datafusion::arrow::array::{BooleanArray, RecordBatch};
use datafusion::arrow::compute::{concat_batches, filter_record_batch};
use rustc_hash::{FxHashMap, FxHashSet};

use super::attached::Attached;
use super::fault::broken;
use super::files::Files;
use super::hot_journey::HotJourney;
use super::seen::Seen;
use super::table::{Table, stamp};
use super::written::Written;
use crate::{Result, Run, StoreError};

/// Smaller batches are merged once they have this many rows together; larger ones stay as they came.
const MERGE_ROWS: usize = 512;

/// The native rows of one segment.
#[derive(Debug)]
pub(super) struct HotSegment {
    batches: Vec<RecordBatch>,
    tail: Vec<RecordBatch>,
    /// When its first rows came.
    pub(super) since: Instant,
    /// Whether it gets no more.
    pub(super) sealed: bool,
    rows: usize,
    bytes: usize,
}

impl HotSegment {
    fn new() -> Self {
        Self { batches: Vec::new(), tail: Vec::new(), since: Instant::now(), sealed: false, rows: 0, bytes: 0 }
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = &RecordBatch> {
        self.batches.iter().chain(&self.tail)
    }
}

/// What is in memory.
pub(super) struct Hot {
    /// Segments that are not in the lake yet.
    pub(super) segments: BTreeMap<u64, HotSegment>,
    /// Journeys that may still change.
    pub(super) journeys: FxHashMap<TraceId, HotJourney>,
    /// Journeys of the lake that turned out to be part of others.
    pub(super) retired: FxHashSet<TraceId>,
    /// Runs that are not in the lake yet.
    pub(super) runs: FxHashMap<TraceId, Run>,
    /// Which journey a native trace belongs to.
    pub(super) attached: Attached,
    /// Which journeys are in the lake.
    pub(super) written: Written,
    /// What queries read of the lake.
    pub(super) cold: Vec<Arc<Files>>,
    /// Attachments that no row has been looked through for.
    unstamped: FxHashMap<TraceId, TraceId>,
    /// Journeys whose rows lie alone, or with little else that is not out of date.
    pub(super) loose: FxHashSet<TraceId>,
    seen: Seen,
    pub(super) bytes: usize,
}

impl Hot {
    pub(super) fn new(cold: Vec<Arc<Files>>) -> Self {
        Self {
            segments: BTreeMap::new(),
            journeys: FxHashMap::default(),
            retired: FxHashSet::default(),
            runs: FxHashMap::default(),
            attached: Attached::default(),
            written: Written::default(),
            cold,
            unstamped: FxHashMap::default(),
            loose: FxHashSet::default(),
            seen: Seen::default(),
            bytes: 0,
        }
    }

    /// The files of a table.
    pub(super) fn files_of(&self, table: Table) -> Result<Arc<Files>> {
        let place = Table::ALL.iter().position(|other| *other == table).unwrap_or(0);
        self.cold.get(place).cloned().ok_or(StoreError::Closed)
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Rows of a table that are in memory.
    pub(super) fn rows(&self, table: Table) -> u64 {
        let woven: usize = self.journeys.values().map(|journey| journey.place.count(table)).sum();
        let rows = match table {
            Table::Spans => woven + self.segments.values().map(|segment| segment.rows).sum::<usize>(),
            Table::Edges | Table::Journeys => woven,
            Table::Runs => self.runs.len(),
        };
        rows as u64
    }

    /// Remembers contents that are in the lake already.
    pub(super) fn remember(&mut self, contents: &[u128]) {
        for content in contents {
            self.seen.insert(*content);
        }
    }

    /// A segment has got a record, of whatever kind.
    pub(super) fn touch(&mut self, segment: u64) {
        self.segments.entry(segment).or_insert_with(HotSegment::new);
    }

    /// A segment gets no more records.
    pub(super) fn seal(&mut self, segment: u64) {
        if let Some(segment) = self.segments.get_mut(&segment) {
            segment.sealed = true;
        }
    }

    /// Takes native rows; gives back how many had come before.
    pub(super) fn add_rows(&mut self, segment: u64, rows: RecordBatch, contents: &[u128]) -> Result<u64> {
        let before = rows.num_rows();
        let rows = self.without_known(rows, contents)?;
        let known = before - rows.num_rows();
        let place = self.segments.entry(segment).or_insert_with(HotSegment::new);
        if rows.num_rows() > 0 {
            // Attachments may be known before the spans come.
            let rows = stamp(&rows, self.attached.all())?.unwrap_or(rows);
            let old = place.bytes;
            place.rows += rows.num_rows();
            place.bytes += rows.get_array_memory_size();
            if rows.num_rows() >= MERGE_ROWS {
                place.batches.push(rows);
            } else {
                place.tail.push(rows);
                place.merge()?;
            }
            self.bytes = self.bytes + place.bytes - old;
        }
        Ok(known as u64)
    }

    fn without_known(&mut self, rows: RecordBatch, contents: &[u128]) -> Result<RecordBatch> {
        // The decoder may have left rows out that are no spans: then rows and contents do not match one to one.
        if contents.len() != rows.num_rows() {
            return Ok(rows);
        }
        let new: BooleanArray = contents.iter().map(|content| Some(self.seen.insert(*content))).collect();
        if new.true_count() == rows.num_rows() {
            return Ok(rows);
        }
        filter_record_batch(&rows, &new).map_err(|error| broken(&error))
    }

    /// Puts the newest version of a journey in place.
    pub(super) fn put_journey(&mut self, id: TraceId, journey: HotJourney) {
        for segment in &journey.segments {
            if self.attached.insert(*segment, id) {
                self.unstamped.insert(*segment, id);
            }
        }
        self.retired.remove(&id);
        if self.written.get(id) == Some(journey.digest) {
            // The lake has this very version: a restart wove it again.
            self.take_journey(id);
            return;
        }
        self.bytes += journey.bytes;
        let old = self.journeys.insert(id, journey);
        self.let_go(old);
        self.lies_alone(id);
    }

    /// Takes a journey out of memory.
    pub(super) fn take_journey(&mut self, id: TraceId) {
        let old = self.journeys.remove(&id);
        self.let_go(old);
    }

    fn let_go(&mut self, old: Option<HotJourney>) {
        if let Some(old) = old {
            self.bytes -= old.bytes;
            self.left(old.place);
        }
    }

    /// A journey turned out to be part of another.
    pub(super) fn retire(&mut self, id: TraceId) {
        self.take_journey(id);
        if self.written.get(id).is_some() {
            self.retired.insert(id);
        }
    }

    /// Lets go of a segment that is in the lake.
    pub(super) fn forget_segment(&mut self, segment: u64) {
        if let Some(gone) = self.segments.remove(&segment) {
            self.bytes -= gone.bytes;
        }
    }

    /// Whether rows wait to be told their journey.
    pub(super) fn is_stamped(&self) -> bool {
        self.unstamped.is_empty()
    }

    /// Tells native rows which journey they belong to.
    pub(super) fn stamp(&mut self) -> Result<()> {
        let new = std::mem::take(&mut self.unstamped);
        if new.is_empty() {
            return Ok(());
        }
        for segment in self.segments.values_mut() {
            for rows in segment.batches.iter_mut().chain(&mut segment.tail) {
                if let Some(stamped) = stamp(rows, &new)? {
                    *rows = stamped;
                }
            }
        }
        Ok(())
    }

    /// Journeys of the lake that memory knows better.
    pub(super) fn overridden(&self) -> Vec<TraceId> {
        let hot = self.journeys.keys().filter(|id| self.written.get(**id).is_some());
        hot.chain(&self.retired).copied().collect()
    }
}

impl HotSegment {
    fn merge(&mut self) -> Result<()> {
        let rows: usize = self.tail.iter().map(RecordBatch::num_rows).sum();
        if rows < MERGE_ROWS {
            return Ok(());
        }
        let Some(schema) = self.tail.first().map(RecordBatch::schema) else { return Ok(()) };
        let merged = concat_batches(&schema, &self.tail).map_err(|error| broken(&error))?;
        let freed: usize = self.tail.drain(..).map(|rows| rows.get_array_memory_size()).sum();
        self.bytes = (self.bytes + merged.get_array_memory_size()).saturating_sub(freed);
        self.batches.push(merged);
        Ok(())
    }
}
