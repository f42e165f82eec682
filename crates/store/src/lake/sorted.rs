//! Rows in the order of their table, piece by piece.

use std::sync::Arc;

use datafusion::arrow::array::{Array, RecordBatch, UInt32Array};
use datafusion::arrow::compute::{
    SortColumn, SortOptions, cast, concat_batches, lexsort_to_indices, take_record_batch,
};
use datafusion::arrow::error::ArrowError;

use super::fault::broken;
use super::table::Table;
use crate::Result;

/// How many rows a piece has: resources become text in it, which all rows at once would have no room for.
const PIECE: usize = 16 << 10;

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
            let columns = table.order().iter().filter_map(|name| rows.column_by_name(name));
            let options = Some(SortOptions::default());
            let columns: Vec<_> = columns.map(|values| SortColumn { values: Arc::clone(values), options }).collect();
            let order = lexsort_to_indices(&columns, None)?;
            Ok(Self { table, rows, order })
        };
        sort().map(Some).map_err(|error: ArrowError| broken(&error))
    }

    /// How many rows.
    pub(super) fn rows(&self) -> usize {
        self.rows.num_rows()
    }

    /// The rows, with the types of their table.
    pub(super) fn chunks(&self) -> impl Iterator<Item = Result<RecordBatch>> {
        (0..self.rows()).step_by(PIECE).map(|from| self.chunk(from).map_err(|error| broken(&error)))
    }

    fn chunk(&self, from: usize) -> std::result::Result<RecordBatch, ArrowError> {
        let length = PIECE.min(self.rows() - from);
        let rows = take_record_batch(&self.rows, &self.order.slice(from, length))?;
        let schema = self.table.schema();
        let columns = schema.fields().iter().zip(rows.columns()).map(|(field, column)| {
            if field.data_type() == column.data_type() {
                Ok(Arc::clone(column))
            } else {
                cast(column, field.data_type())
            }
        });
        RecordBatch::try_new(Arc::clone(&schema), columns.collect::<std::result::Result<_, _>>()?)
    }
}
