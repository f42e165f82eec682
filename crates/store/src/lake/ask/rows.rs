//! Rows of an answer.

use clew_model::Span;
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::prelude::DataFrame;
use futures_util::TryStreamExt as _;

use super::super::fault::{broken, query};
use super::super::shared::Shared;
use super::super::table::Table;
use crate::{Result, columns};

/// The answer to a query of our own.
pub(in crate::lake) async fn collect(shared: &Shared, sql: &str) -> Result<Vec<RecordBatch>> {
    run(shared.session.sql(sql).await.map_err(|error| query(&error))?).await
}

/// A table to ask.
pub(in crate::lake) async fn frame(shared: &Shared, table: Table) -> Result<DataFrame> {
    shared.session.table(table.name()).await.map_err(|error| query(&error))
}

/// All rows of an answer.
pub(in crate::lake) async fn run(frame: DataFrame) -> Result<Vec<RecordBatch>> {
    frame.collect().await.map_err(|error| query(&error))
}

/// Rows that one task makes spans of.
const TOGETHER: usize = 1024;

/// The spans that the rows of an answer are, in their order. They are made of the first rows while later ones are read.
pub(in crate::lake) async fn spans_of(frame: DataFrame) -> Result<Vec<Span>> {
    let frame = frame.select_columns(&columns::MADE_OF).map_err(|error| query(&error))?;
    let mut batches = frame.execute_stream().await.map_err(|error| query(&error))?;
    let mut making = Vec::new();
    while let Some(batch) = batches.try_next().await.map_err(|error| query(&error))? {
        for from in (0..batch.num_rows()).step_by(TOGETHER) {
            let rows = batch.slice(from, TOGETHER.min(batch.num_rows() - from));
            making.push(tokio::task::spawn_blocking(move || columns::read(&rows)));
        }
    }
    let mut spans = Vec::new();
    for made in making {
        spans.extend(made.await.map_err(|error| broken(&error))??);
    }
    Ok(spans)
}

/// A column as text; what is missing is empty.
pub(in crate::lake) fn texts(rows: &RecordBatch, column: usize) -> Result<Vec<String>> {
    let column = cast(rows.column(column), &DataType::Utf8).map_err(|error| broken(&error))?;
    Ok(column.as_string::<i32>().iter().map(|text| text.unwrap_or_default().to_owned()).collect())
}

/// A column as whole numbers; what is missing is zero.
pub(in crate::lake) fn numbers(rows: &RecordBatch, column: usize) -> Result<Vec<i64>> {
    let column = cast(rows.column(column), &DataType::Int64).map_err(|error| broken(&error))?;
    let numbers = column.as_primitive::<Int64Type>();
    Ok((0..numbers.len()).map(|row| if numbers.is_valid(row) { numbers.value(row) } else { 0 }).collect())
}
