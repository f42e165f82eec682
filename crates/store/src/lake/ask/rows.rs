//! Rows of an answer.

use clew_model::Span;
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::runtime::SpawnedTask;
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
    beside(async { frame.collect().await.map_err(|error| query(&error)) }).await
}

/// Does work as a task of its own, so that questions asked together are answered by all cores. It ends with whoever waits.
pub(super) async fn beside<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    SpawnedTask::spawn(work).await.map_err(|error| broken(&error))?
}

/// Rows that one task makes spans of.
const TOGETHER: usize = 512;

/// The spans that the first rows of an answer are, in their order. They are made of some while others are read.
pub(in crate::lake) async fn spans_of(frame: DataFrame, at_most: usize) -> Result<Vec<Span>> {
    beside(make(frame, at_most)).await
}

async fn make(frame: DataFrame, at_most: usize) -> Result<Vec<Span>> {
    let frame = frame.select_columns(&columns::MADE_OF).map_err(|error| query(&error))?;
    let mut batches = frame.execute_stream().await.map_err(|error| query(&error))?;
    let mut making = Vec::new();
    let mut room = at_most;
    while room > 0
        && let Some(batch) = batches.try_next().await.map_err(|error| query(&error))?
    {
        let batch = batch.slice(0, room.min(batch.num_rows()));
        room -= batch.num_rows();
        for from in (0..batch.num_rows()).step_by(TOGETHER) {
            let rows = batch.slice(from, TOGETHER.min(batch.num_rows() - from));
            making.push(tokio::task::spawn_blocking(move || columns::read(&rows)));
        }
    }
    let mut spans = Vec::with_capacity(at_most - room);
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

#[cfg(test)]
mod tests {
    use clew_model::{SpanId, Time, TraceId};
    use datafusion::prelude::SessionContext;

    use super::*;
    use crate::columns::SpanBatchBuilder;

    #[tokio::test]
    async fn no_more_spans_are_made_than_asked_for_and_they_keep_their_order() {
        let mut builder = SpanBatchBuilder::new();
        for start in 0..2000 {
            let id = SpanId::from_bytes([1; 8]);
            builder.push(&Span::new(TraceId::from_bytes([1; 16]), id, "work", Time::from_nanos(start))).unwrap();
        }
        let rows = builder.finish().unwrap().into_record_batch();
        // In batches of which neither is a multiple of what one task takes.
        let batches = || vec![rows.slice(0, 700), rows.slice(700, 1300)];
        for (at_most, expected) in [(0, 0), (1, 1), (700, 700), (1500, 1500), (5000, 2000)] {
            let frame = SessionContext::new().read_batches(batches()).unwrap();
            let starts: Vec<i64> =
                spans_of(frame, at_most).await.unwrap().iter().map(|span| span.start.as_nanos()).collect();
            assert_eq!(starts, (0..expected).collect::<Vec<_>>(), "{at_most}");
        }
    }
}
