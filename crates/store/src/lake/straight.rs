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

/// Spans in the order of their table, of which columns are made piece by piece: each text is copied once.
pub(super) struct Straight<'a> {
    requests: &'a [Arc<Unread>],
    groups: Vec<Group>,
    order: Vec<Row>,
}

/// What comes before the trace in the order: class, day, journey. A class has a journey in all of its rows or in none.
type Group = (bool, i32, Option<TraceId>);

/// A span by what the order goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    group: u32,
    trace: u128,
    start: i64,
    request: u32,
    span: u32,
}

impl<'a> Straight<'a> {
    /// Finds the order of the spans of some requests, whose traces belong to these journeys.
    pub(super) fn new(requests: &'a [Arc<Unread>], journeys: &FxHashMap<TraceId, TraceId>) -> Self {
        let spots = || {
            let requests = requests.iter().zip(0_u32..);
            requests.flat_map(|(unread, request)| {
                unread.spans().iter().zip(0_u32..).map(move |(spot, span)| (request, span, spot))
            })
        };
        let (ranks, groups) = ranked(spots().map(|(_, _, spot)| group(spot, journeys)));
        let mut order: Vec<Row> = spots()
            .zip(ranks)
            .map(|((request, span, spot), group)| Row {
                group,
                trace: u128::from_be_bytes(spot.trace_id.to_bytes()),
                start: spot.start,
                request,
                span,
            })
            .collect();
        order.sort_unstable();
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

    fn piece(&self, rows: &[Row]) -> Result<RecordBatch> {
        let mut columns = Columns::with_ample_room(rows.len());
        for row in rows {
            let request = &self.requests[row.request as usize];
            columns.read(request, &request.spans()[row.span as usize])?;
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
