//! Native spans that nobody asked for yet: from their requests straight into the order of their table.

use std::sync::Arc;

use clew_model::TraceId;
use datafusion::arrow::array::RecordBatch;
use rustc_hash::FxHashMap;

use super::fault::broken;
use super::sorted::{PIECE, with_table_types};
use super::span_order::ranked;
use super::table::{Table, day_of, native_rows, segment_rows};
use crate::Result;
use crate::otlp::{Columns, Spot, Unread};

/// How many spans are fetched at once: they fit into the nearest cache.
const FETCHED: usize = 16;
const CACHE_LINE: usize = 64;

/// Spans in the order of their table, of which columns are made piece by piece: each text is copied once.
pub(super) struct Straight<'a> {
    requests: &'a [Arc<Unread>],
    groups: Vec<Group>,
    order: Vec<Row>,
}

/// What comes before the trace in the order: class, day, journey. A class has a journey in all of its rows or in none.
type Group = (bool, i32, Option<TraceId>);

/// A span by what the order goes by, its request, and where it lies there.
#[derive(Debug, Clone, Copy)]
struct Row {
    group: u32,
    request: u32,
    spot: Spot,
}

impl Row {
    /// What the order goes by; no two are the same.
    fn key(&self) -> (u32, u128, i64, u32, usize) {
        let trace = u128::from_be_bytes(self.spot.trace_id.to_bytes());
        (self.group, trace, self.spot.start, self.request, self.spot.lies().start)
    }
}

impl<'a> Straight<'a> {
    /// Finds the order of the spans of some requests, whose traces belong to these journeys.
    pub(super) fn new(requests: &'a [Arc<Unread>], journeys: &FxHashMap<TraceId, TraceId>) -> Self {
        let spots = || {
            let requests = requests.iter().zip(0_u32..);
            requests.flat_map(|(unread, request)| unread.spans().iter().map(move |spot| (request, *spot)))
        };
        let (ranks, groups) = ranked(spots().map(|(_, spot)| group(&spot, journeys)));
        let rows = spots().zip(ranks).map(|((request, spot), group)| Row { group, request, spot });
        let mut order: Vec<Row> = rows.collect();
        order.sort_unstable_by_key(Row::key);
        Self { requests, groups, order }
    }

    /// How many rows.
    pub(super) fn rows(&self) -> usize {
        self.order.len()
    }

    /// The rows, with the types of their table. All rows of a piece belong into one folder.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Result<RecordBatch>> {
        let folders = self.order.chunk_by(|one, other| self.folder(one) == self.folder(other));
        folders.flat_map(|folder| folder.chunks(PIECE)).map(|rows| self.piece(rows))
    }

    fn folder(&self, row: &Row) -> (bool, i32) {
        let (is_segment, day, _) = self.groups[row.group as usize];
        (is_segment, day)
    }

    fn request(&self, row: &Row) -> &'a Unread {
        &self.requests[row.request as usize]
    }

    /// Looks at the bytes of some spans, which lie anywhere in memory: the processor fetches them all at once, and would wait
    /// for each if they were only read one after the other.
    fn fetch(&self, rows: &[Row]) {
        let spans = rows.iter().map(|row| &self.request(row).request()[row.spot.lies()]);
        let lines = spans.flat_map(|span| span.iter().step_by(CACHE_LINE));
        std::hint::black_box(lines.fold(0, |all, byte| all ^ byte));
    }

    fn piece(&self, rows: &[Row]) -> Result<RecordBatch> {
        let mut columns = Columns::with_ample_room(rows.len());
        for rows in rows.chunks(FETCHED) {
            self.fetch(rows);
            for row in rows {
                columns.read(self.request(row), &row.spot)?;
            }
        }
        let spans = columns.finish()?;
        let journeys: Option<Vec<TraceId>> = rows.iter().map(|row| self.groups[row.group as usize].2).collect();
        let rows = match journeys {
            Some(journeys) => segment_rows(spans, &journeys)?,
            None => native_rows(spans)?,
        };
        with_table_types(Table::Spans, rows.columns()).map_err(|error| broken(&error))
    }
}

fn group(spot: &Spot, journeys: &FxHashMap<TraceId, TraceId>) -> Group {
    let journey = journeys.get(&spot.trace_id).copied();
    (journey.is_some(), day_of(spot.start), journey)
}
