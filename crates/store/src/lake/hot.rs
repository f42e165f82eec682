//! What is in memory: the rows of segments that are not in the lake yet, and journeys that may still change.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use clew_model::TraceId;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use rustc_hash::{FxHashMap, FxHashSet};

use super::attached::Attached;
use super::fault::broken;
use super::files::Files;
use super::hot_journey::HotJourney;
use super::read::TOGETHER;
use super::seen::Seen;
use super::table::{Table, stamp};
use super::written::Written;
use crate::otlp::Unread;
use crate::{Result, Run, StoreError};

/// How many times its bytes a request takes once it is read. Memory has room for that from the beginning.
const READ: usize = 3;
/// What a request takes beside its bytes, however small it is.
const REQUEST: usize = 1 << 10;

fn room(request: &Unread) -> usize {
    request.request().len() * READ + REQUEST
}

/// The native rows of one segment.
#[derive(Debug)]
pub(super) struct HotSegment {
    /// Requests that nobody asked for yet.
    unread: Vec<Arc<Unread>>,
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
        Self {
            unread: Vec::new(),
            batches: Vec::new(),
            tail: Vec::new(),
            since: Instant::now(),
            sealed: false,
            rows: 0,
            bytes: 0,
        }
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its requests that nobody asked for yet.
    pub(super) fn unread(&self) -> &[Arc<Unread>] {
        &self.unread
    }

    /// Its rows, but for requests that nobody asked for yet.
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
    pub(super) fn remember(&mut self, contents: &[u64]) {
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

    /// Takes native spans; gives back how many had come before.
    pub(super) fn add_spans(&mut self, segment: u64, mut spans: Unread, contents: &[u64]) -> u64 {
        let before = spans.spans().len();
        spans.retain(|place| contents.get(place).is_none_or(|content| self.seen.insert(*content)));
        let place = self.segments.entry(segment).or_insert_with(HotSegment::new);
        let new = spans.spans().len();
        if new > 0 {
            let bytes = room(&spans);
            place.rows += new;
            place.bytes += bytes;
            self.bytes += bytes;
            place.unread.push(Arc::new(spans));
        }
        (before - new) as u64
    }

    /// The requests of each segment that nobody asked for yet.
    pub(super) fn unread(&self) -> Vec<(u64, Vec<Arc<Unread>>)> {
        let unread = self.segments.iter().filter(|(_, segment)| !segment.unread.is_empty());
        unread.map(|(number, segment)| (*number, segment.unread.clone())).collect()
    }

    /// Puts rows in the place of so many requests of a segment, the first that were not read.
    pub(super) fn put_rows(&mut self, segment: u64, requests: usize, rows: Vec<RecordBatch>) -> Result<()> {
        // The lake may have it by now.
        let Some(place) = self.segments.get_mut(&segment) else { return Ok(()) };
        let read = place.unread.drain(..requests.min(place.unread.len()));
        let freed: usize = read.map(|request| room(&request)).sum();
        let old = place.bytes;
        place.bytes -= freed;
        for rows in rows {
            // Attachments may be known before the spans come.
            let rows = stamp(&rows, self.attached.all())?.unwrap_or(rows);
            place.add(rows)?;
        }
        self.bytes = self.bytes + place.bytes - old;
        Ok(())
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
    fn add(&mut self, rows: RecordBatch) -> Result<()> {
        self.bytes += rows.get_array_memory_size();
        if rows.num_rows() >= TOGETHER {
            self.batches.push(rows);
            return Ok(());
        }
        self.tail.push(rows);
        self.merge()
    }

    fn merge(&mut self) -> Result<()> {
        let rows: usize = self.tail.iter().map(RecordBatch::num_rows).sum();
        if rows < TOGETHER {
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
