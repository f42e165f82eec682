//! Rows in the order of their table, piece by piece.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, UInt32Array};
use datafusion::arrow::compute::{SortColumn, SortOptions, cast, concat_batches, lexsort_to_indices, partition};
use datafusion::arrow::error::ArrowError;

use super::fault::broken;
use super::gather::gather;
use super::span_order::span_order;
use super::table::Table;
use crate::Result;

/// How many rows a piece has: resources become text in it, which all rows at once would have no room for.
const PIECE: usize = 16 << 10;

type Arrow<T> = std::result::Result<T, ArrowError>;

/// Rows in the order of their table.
pub(super) struct Sorted {
    table: Table,
    rows: RecordBatch,
    order: UInt32Array,
}

impl Sorted {
    /// Finds the order; none for no rows.
    pub(super) fn new(table: Table, batches: &[RecordBatch]) -> Result<Option<Self>> {
        let Some(first) = batches.iter().find(|batch| batch.num_rows() > 0) else { return Ok(None) };
        let sort = || {
            let rows = concat_batches(&first.schema(), batches.iter().filter(|batch| batch.num_rows() > 0))?;
            let order = if table == Table::Spans { span_order(&rows) } else { None };
            let order = order.map_or_else(|| any_order(table, &rows), Ok)?;
            Ok(Self { table, rows, order })
        };
        sort().map(Some).map_err(|error: ArrowError| broken(&error))
    }

    /// How many rows.
    pub(super) fn rows(&self) -> usize {
        self.rows.num_rows()
    }

    /// The rows, with the types of their table. All rows of a piece belong into one folder.
    pub(super) fn pieces(&self) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
        let folders = self.folders().map_err(|error| broken(&error))?;
        let pieces = folders.into_iter().flat_map(|folder| {
            let end = folder.end;
            folder.step_by(PIECE).map(move |from| (from, PIECE.min(end - from)))
        });
        Ok(pieces.map(|(from, length)| self.piece(from, length).map_err(|error| broken(&error))))
    }

    fn folders(&self) -> Arrow<Vec<std::ops::Range<usize>>> {
        let names = self.table.partitions().iter().filter_map(|name| self.rows.column_by_name(name));
        let columns: Vec<ArrayRef> = names.map(|column| gather(column, &self.order)).collect::<Arrow<_>>()?;
        Ok(partition(&columns)?.ranges())
    }

    fn piece(&self, from: usize, length: usize) -> Arrow<RecordBatch> {
        let order = self.order.slice(from, length);
        let schema = self.table.schema();
        let columns = schema.fields().iter().zip(self.rows.columns()).map(|(field, column)| {
            let column = gather(column, &order)?;
            let same = field.data_type() == column.data_type();
            if same { Ok(column) } else { cast(&column, field.data_type()) }
        });
        RecordBatch::try_new(Arc::clone(&schema), columns.collect::<Arrow<_>>()?)
    }
}

fn any_order(table: Table, rows: &RecordBatch) -> Arrow<UInt32Array> {
    let columns = table.order().iter().filter_map(|name| rows.column_by_name(name));
    let options = Some(SortOptions::default());
    let columns: Vec<_> = columns.map(|values| SortColumn { values: Arc::clone(values), options }).collect();
    lexsort_to_indices(&columns, None)
}
