//! What goes from memory into the lake in one go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use clew_model::TraceId;
use datafusion::arrow::array::RecordBatch;
use rustc_hash::FxHashMap;

use super::fault::damaged;
use super::hot::{Hot, HotSegment};
use super::options::{Limits, Options};
use super::parts::{PartsWriter, parts, rows_from_bytes, rows_to_bytes};
use super::read::read;
use super::table::{Table, runs_of, stamp};
use crate::Result;
use crate::otlp::Unread;

/// A journey that never ends goes to its table when it has been quiet for so long.
const QUIET: Duration = Duration::from_hours(1);
/// A run that never ends goes to its table after so long.
const RUN: i64 = 24 * 3600 * 1_000_000_000;

/// What goes into the lake in one go. All but the native rows, which the log has, is kept in a file first: whoever finds the
/// file after a crash does the same again, and tables that have it already say so by their transaction.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// The number of this work: the version of the tables' transactions.
    pub(super) number: i64,
    /// Segments whose rows go with it; empty for none.
    pub(super) segments: Vec<u64>,
    /// Native rows.
    pub(super) native: Vec<RecordBatch>,
    /// Native spans that nobody asked for yet.
    pub(super) unread: Vec<Arc<Unread>>,
    /// The journeys that their traces belong to.
    pub(super) attached: FxHashMap<TraceId, TraceId>,
    /// Woven spans.
    pub(super) spans: Vec<RecordBatch>,
    /// Their edges.
    pub(super) edges: Vec<RecordBatch>,
    /// Their journeys.
    pub(super) journeys: Vec<RecordBatch>,
    /// Which journeys, and in which version.
    pub(super) digests: Vec<(TraceId, u64)>,
    /// Runs.
    pub(super) runs: Vec<RecordBatch>,
    /// Which runs.
    pub(super) run_ids: Vec<TraceId>,
    /// Journeys whose old version leaves the lake.
    pub(super) replaced: Vec<TraceId>,
}

/// How much a work takes of several segments, so that it fits into memory twice.
const BYTES: usize = 48 << 20;

impl Work {
    /// Whether there is anything to do.
    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_empty() && self.digests.is_empty() && self.run_ids.is_empty() && self.replaced.is_empty()
    }

    /// The rows for a table.
    pub(super) fn rows(&self, table: Table) -> Vec<RecordBatch> {
        match table {
            Table::Spans => self.native.iter().chain(&self.spans).cloned().collect(),
            Table::Edges => self.edges.clone(),
            Table::Journeys => self.journeys.clone(),
            Table::Runs => self.runs.clone(),
        }
    }

    /// One order is found for all native rows: if somebody asked for some, the others are read as well.
    pub(super) fn even_out(&mut self) -> Result<()> {
        if self.native.is_empty() {
            return Ok(());
        }
        for rows in read(&std::mem::take(&mut self.unread))? {
            self.native.push(stamp(&rows, &self.attached)?.unwrap_or(rows));
        }
        Ok(())
    }

    /// What the file holds.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut parts = PartsWriter::default();
        parts.push(&self.number.to_le_bytes());
        parts.push(&self.segments.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
        for rows in [&self.spans, &self.edges, &self.journeys, &self.runs] {
            parts.push(&rows_to_bytes(rows)?);
        }
        let digests = self.digests.iter().flat_map(|(id, digest)| [&id.to_bytes()[..], &digest.to_le_bytes()].concat());
        parts.push(&digests.collect::<Vec<_>>());
        for ids in [&self.run_ids, &self.replaced] {
            parts.push(&ids.iter().flat_map(|id| id.to_bytes()).collect::<Vec<_>>());
        }
        Ok(parts.finish())
    }

    /// What [`Self::to_bytes`] wrote; the native rows are to be added.
    pub(super) fn from_bytes(bytes: &Bytes) -> Result<Self> {
        let all: [Bytes; 9] = parts(bytes)?.try_into().map_err(|_| damaged("pending work", "a part is missing"))?;
        let [number, segments, spans, edges, journeys, runs, digests, run_ids, replaced] = all;
        let number = <[u8; 8]>::try_from(&number[..]).map_err(|_| damaged("pending work", "it has no number"))?;
        let ids = |bytes: &Bytes| bytes.chunks_exact(16).filter_map(TraceId::from_slice).collect::<Vec<_>>();
        let digest =
            |bytes: &[u8]| Some((TraceId::from_slice(&bytes[..16])?, u64::from_le_bytes(bytes[16..].try_into().ok()?)));
        Ok(Self {
            number: i64::from_le_bytes(number),
            segments: segments
                .chunks_exact(8)
                .filter_map(|part| Some(u64::from_le_bytes(part.try_into().ok()?)))
                .collect(),
            native: Vec::new(),
            unread: Vec::new(),
            attached: FxHashMap::default(),
            spans: rows_from_bytes(spans)?,
            edges: rows_from_bytes(edges)?,
            journeys: rows_from_bytes(journeys)?,
            runs: rows_from_bytes(runs)?,
            digests: digests.chunks_exact(24).filter_map(digest).collect(),
            run_ids: ids(&run_ids),
            replaced: ids(&replaced),
        })
    }
}

impl Hot {
    /// What may go into the lake now: sealed segments, and with `all` every journey.
    pub(super) fn work(&mut self, number: i64, options: &Options, all: bool, now: i64) -> Result<Work> {
        self.stamp()?;
        let mut work = Work { number, ..Work::default() };
        let mut bytes = 0;
        for (segment, rows) in self.segments.iter().take_while(|(_, segment)| segment.sealed) {
            bytes += rows.bytes();
            if bytes > BYTES && !work.segments.is_empty() {
                break;
            }
            work.segments.push(*segment);
            self.take_native(rows, &mut work);
        }
        let settled = self.settled(options, all);
        let due = !work.segments.is_empty()
            || all
            || self.is_crowded(&options.limits)
            || settled.iter().any(|(_, quiet)| *quiet >= options.settle + options.limits.segment_age);
        for (id, _) in settled.into_iter().filter(|_| due) {
            let Some(journey) = self.journeys.get(&id) else { continue };
            work.spans.push(journey.place.rows(Table::Spans));
            work.edges.push(journey.place.rows(Table::Edges));
            work.journeys.push(journey.place.rows(Table::Journeys));
            work.digests.push((id, journey.digest));
            if self.written.get(id).is_some() {
                work.replaced.push(id);
            }
        }
        if due {
            work.replaced.extend(&self.retired);
            let ended = |run: &&crate::Run| run.end.is_some() || now - run.start.as_nanos() > RUN;
            let runs: Vec<_> = self.runs.values().filter(ended).collect();
            work.run_ids = runs.iter().map(|run| run.id).collect();
            work.runs = if runs.is_empty() { Vec::new() } else { vec![runs_of(runs)?] };
        }
        Ok(work)
    }

    fn take_native(&self, segment: &HotSegment, work: &mut Work) {
        work.native.extend(segment.rows().cloned());
        for request in segment.unread() {
            let traces = request.spans().chunk_by(|one, other| one.trace_id == other.trace_id);
            let journeys = traces.filter_map(|spans| {
                let trace = spans.first()?.trace_id;
                Some((trace, self.attached.get(trace)?))
            });
            work.attached.extend(journeys);
            work.unread.push(Arc::clone(request));
        }
    }

    /// Whether there are so many journeys, or so large ones, that some must go before others come.
    pub(super) fn is_crowded(&self, limits: &Limits) -> bool {
        self.journeys.len() > limits.hot_journeys + limits.hot_journeys / 4 || self.is_nearly_full(limits)
    }

    /// Whether journeys must make room, so that nothing that comes in is refused.
    fn is_nearly_full(&self, limits: &Limits) -> bool {
        self.bytes() > limits.hot_bytes / 2
    }

    /// Journeys that will hardly change any more, and for how long each has been quiet.
    fn settled(&self, options: &Options, all: bool) -> Vec<(TraceId, Duration)> {
        let now = Instant::now();
        let mut quiet: Vec<_> = self
            .journeys
            .iter()
            .map(|(id, journey)| (*id, now.duration_since(journey.changed), journey.open))
            .collect();
        quiet.sort_by_key(|(_, quiet, _)| std::cmp::Reverse(*quiet));
        let most = options.limits.hot_journeys;
        // Few large ones may fill the memory as well as many small ones.
        let most = if self.is_nearly_full(&options.limits) { most.min(quiet.len() / 2) } else { most };
        let too_many = quiet.len().saturating_sub(most);
        let settled = quiet.into_iter().enumerate().filter(|(place, (_, quiet, open))| {
            all || *place < too_many || *quiet >= QUIET || (!open && *quiet >= options.settle)
        });
        settled.map(|(_, (id, quiet, _))| (id, quiet)).collect()
    }

    /// Lets go of what is in the lake now.
    pub(super) fn done(&mut self, work: &Work) {
        for segment in &work.segments {
            self.forget_segment(*segment);
        }
        for id in &work.replaced {
            self.retired.remove(id);
            self.written.remove(*id);
        }
        for (id, digest) in &work.digests {
            self.written.insert(*id, *digest);
            if self.journeys.get(id).is_some_and(|journey| journey.digest == *digest) {
                self.take_journey(*id);
            }
        }
        for id in &work.run_ids {
            self.runs.remove(id);
        }
    }

    /// Gives a work that was begun in an earlier life the native spans of its segments.
    pub(super) fn complete(&self, work: &mut Work) {
        for segment in work.segments.clone() {
            if let Some(segment) = self.segments.get(&segment) {
                self.take_native(segment, work);
            }
        }
    }
}
