//! Checkpoints of whoever weaves, and what comes after them.

use std::path::PathBuf;
use std::sync::Mutex;

use bytes::Bytes;
use clew_model::TraceId;
use datafusion::arrow::array::{Array, AsArray, RecordBatch, UInt64Array};
use datafusion::arrow::compute::{concat_batches, take_record_batch};
use rustc_hash::FxHashMap;

use super::fault::{broken, damaged};
use super::hot_journey::HotJourney;
use super::intake;
use super::parts::{PartsWriter, parts, rows_from_bytes, rows_to_bytes};
use super::shared::Shared;
use super::table::Table;
use crate::log::{self, whole};
use crate::{Checkpoint, Position, Record, Result};

/// A segment that is being replayed, so that it is read once.
pub(super) type Replayed = Mutex<Option<(u64, Vec<(Position, u8, Bytes)>)>>;

impl Shared {
    fn checkpoint_file(&self) -> PathBuf {
        self.options.data.join("checkpoint")
    }

    /// Keeps a checkpoint, with the journeys that only memory has: they follow from records that nobody weaves again.
    pub(super) fn write_checkpoint(&self, checkpoint: &Checkpoint) -> Result<()> {
        let mut file = PartsWriter::default();
        file.push(&checkpoint.position.0.to_le_bytes());
        let [rows, spans, edges] = {
            let hot = self.hot();
            [Table::Journeys, Table::Spans, Table::Edges].map(|table| hot.journey_rows(table))
        };
        for rows in [rows, spans, edges] {
            file.push(&rows_to_bytes(&rows)?);
        }
        for (cluster, snapshot) in &checkpoint.snapshots {
            file.push(cluster.as_bytes());
            file.push(snapshot);
        }
        whole::write(&self.checkpoint_file(), &file.finish())?;
        let mut segments = self.segments();
        segments.woven = segments.woven.max(checkpoint.position.0);
        drop(segments);
        self.delete_outlived();
        Ok(())
    }

    /// The last checkpoint, and the journeys that were kept with it.
    pub(super) fn read_checkpoint(&self) -> Result<(Checkpoint, Vec<(TraceId, HotJourney)>)> {
        let Some(bytes) = whole::read(&self.checkpoint_file())? else { return Ok(Default::default()) };
        let wrong = || damaged("the checkpoint", "a part is missing");
        let mut parts = parts(&Bytes::from(bytes))?.into_iter();
        let mut next = || parts.next().ok_or_else(wrong);
        let position = u64::from_le_bytes(next()?[..].try_into().map_err(|_| wrong())?);
        let [rows, spans, edges] = [next()?, next()?, next()?].map(rows_from_bytes);
        let mut snapshots = Vec::new();
        while let Some(cluster) = parts.next() {
            let name = std::str::from_utf8(&cluster).map_err(|_| wrong())?;
            snapshots.push((name.into(), parts.next().ok_or_else(wrong)?));
        }
        let journeys = journeys(&rows?, &spans?, &edges?)?;
        Ok((Checkpoint { position: Position(position), snapshots }, journeys))
    }

    /// Records after a position, in their order.
    pub(super) fn read_records(
        &self,
        after: Position,
        limit: usize,
        cache: &Replayed,
    ) -> Result<Vec<(Position, Record)>> {
        let mut records = Vec::new();
        let mut cache = cache.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let numbers = self.segments().after(after.0);
        for number in numbers {
            if cache.as_ref().is_none_or(|(cached, _)| *cached != number) {
                let mut frames = Vec::new();
                let bytes = Bytes::from(log::load(&self.log_folder(), number)?);
                log::scan(&bytes, |frame| {
                    frames.push((Position(frame.sequence), frame.kind, bytes.slice_ref(frame.payload)));
                });
                *cache = Some((number, frames));
            }
            let frames = cache.iter().flat_map(|(_, frames)| frames).filter(|(position, ..)| *position > after);
            for (position, kind, payload) in frames.take(limit - records.len()) {
                records.extend(intake::record(*kind, payload.clone()).map(|record| (*position, record)));
            }
            if records.len() >= limit {
                return Ok(records);
            }
        }
        // The last segment may still grow.
        *cache = None;
        Ok(records)
    }
}

/// Journeys out of the rows of all.
fn journeys(rows: &[RecordBatch], spans: &[RecordBatch], edges: &[RecordBatch]) -> Result<Vec<(TraceId, HotJourney)>> {
    let (mut spans, mut edges) = (by_journey(spans)?, by_journey(edges)?);
    let mut journeys = Vec::new();
    for batch in rows {
        let ids = batch.column_by_name("journey_id").and_then(|column| column.as_string_opt::<i32>());
        for (row, id) in ids.into_iter().flatten().enumerate() {
            let Some(id) = id else { continue };
            let spans = spans.remove(id).ok_or_else(|| damaged("the checkpoint", "a journey has no spans"))?;
            let edges = edges.remove(id).unwrap_or_else(|| RecordBatch::new_empty(Table::Edges.schema()));
            let row = UInt64Array::from(vec![row as u64]);
            let row = take_record_batch(batch, &row).map_err(|error| broken(&error))?;
            journeys.push(HotJourney::from_rows(&row, spans, edges)?);
        }
    }
    Ok(journeys)
}

/// The rows of each journey, which lie together.
fn by_journey(batches: &[RecordBatch]) -> Result<FxHashMap<String, RecordBatch>> {
    let mut found = FxHashMap::default();
    let Some(first) = batches.first() else { return Ok(found) };
    let all = concat_batches(&first.schema(), batches).map_err(|error| broken(&error))?;
    let Some(ids) = all.column_by_name("journey_id").and_then(|column| column.as_string_opt::<i32>()) else {
        return Ok(found);
    };
    let mut from = 0;
    while from < ids.len() {
        let id = ids.value(from);
        let length = ids.iter().skip(from).take_while(|other| *other == Some(id)).count().max(1);
        // A copy rather than a slice, which would keep the rows of all in memory.
        let rows: UInt64Array = (from as u64..(from + length) as u64).collect();
        found.insert(id.to_owned(), take_record_batch(&all, &rows).map_err(|error| broken(&error))?);
        from += length;
    }
    Ok(found)
}
