//! Rows in the order of their table, piece by piece.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch};
use datafusion::arrow::compute::{SortColumn, SortOptions, cast, concat, lexsort_to_indices, partition};
use datafusion::arrow::error::ArrowError;

use super::fault::broken;
use super::gather::gather;
use super::span_order::span_order;
use super::table::Table;
use crate::Result;

/// How many rows a piece has: resources become text in it, which all rows at once would have no room for.
pub(super) const PIECE: usize = 16 << 10;

type Arrow<T> = std::result::Result<T, ArrowError>;

/// Rows in the order of their table.
pub(super) struct Sorted<'a> {
    table: Table,
    batches: Vec<&'a RecordBatch>,
    /// Batch and row.
    order: Vec<(usize, usize)>,
}

impl<'a> Sorted<'a> {
    /// Finds the order; none for no rows.
    pub(super) fn new(table: Table, batches: &'a [RecordBatch]) -> Result<Option<Self>> {
        let batches: Vec<_> = batches.iter().filter(|batch| batch.num_rows() > 0).collect();
        if batches.is_empty() {
            return Ok(None);
        }
        let order = if table == Table::Spans { span_order(&batches) } else { None };
        let order = order.map_or_else(|| any_order(table, &batches), Ok).map_err(|error| broken(&error))?;
        Ok(Some(Self { table, batches, order }))
    }

    /// How many rows.
    pub(super) fn rows(&self) -> usize {
        self.order.len()
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
        let places = self.table.partitions().iter().filter_map(|name| self.batches[0].schema().index_of(name).ok());
        let columns: Vec<ArrayRef> = places.map(|place| self.column(place, &self.order)).collect::<Arrow<_>>()?;
        Ok(partition(&columns)?.ranges())
    }

    fn piece(&self, from: usize, length: usize) -> Arrow<RecordBatch> {
        let order = &self.order[from..from + length];
        let columns = (0..self.table.schema().fields().len()).map(|place| self.column(place, order));
        with_table_types(self.table, &columns.collect::<Arrow<Vec<_>>>()?)
    }

    fn column(&self, place: usize, order: &[(usize, usize)]) -> Arrow<ArrayRef> {
        let parts: Vec<&dyn Array> = self.batches.iter().map(|batch| batch.column(place).as_ref()).collect();
        gather(&parts, order)
    }
}

/// Rows with the types of their table: resources become text.
pub(super) fn with_table_types(table: Table, columns: &[ArrayRef]) -> Arrow<RecordBatch> {
    let schema = table.schema();
    let typed = schema.fields().iter().zip(columns).map(|(field, column)| {
        let same = field.data_type() == column.data_type();
        if same { Ok(Arc::clone(column)) } else { cast(column, field.data_type()) }
    });
    let typed = typed.collect::<Arrow<_>>()?;
    RecordBatch::try_new(schema, typed)
}

fn any_order(table: Table, batches: &[&RecordBatch]) -> Arrow<Vec<(usize, usize)>> {
    let options = Some(SortOptions::default());
    let columns = table.order().iter().map(|name| {
        let parts: Vec<&dyn Array> =
            batches.iter().filter_map(|batch| Some(batch.column_by_name(name)?.as_ref())).collect();
        Ok(SortColumn { values: concat(&parts)?, options })
    });
    let order = lexsort_to_indices(&columns.collect::<Arrow<Vec<_>>>()?, None)?;
    let rows = batches.iter().enumerate().flat_map(|(part, batch)| (0..batch.num_rows()).map(move |row| (part, row)));
    let rows: Vec<_> = rows.collect();
    Ok(order.values().iter().map(|row| rows[*row as usize]).collect())
}
