//! Everything out again, batch by batch.

use clew_model::Span;
use futures_util::StreamExt;

use super::engine::Lake;
use super::fault::query;
use super::table::Table;
use crate::{Filter, Result, TimeRange, columns};

impl Lake {
    /// Gives all spans of a time for which a filter holds, woven ones included, batch by batch and in no order.
    pub async fn each_span(
        &self,
        range: TimeRange,
        filter: &Filter,
        mut take: impl FnMut(Vec<Span>) -> Result<()>,
    ) -> Result<u64> {
        let rows = self.matching(Table::Spans, range, filter).await?;
        let rows = rows.select_columns(&columns::MADE_OF).map_err(|error| query(&error))?;
        let mut stream = rows.execute_stream().await.map_err(|error| query(&error))?;
        let mut spans = 0;
        while let Some(batch) = stream.next().await {
            let batch = batch.map_err(|error| query(&error))?;
            spans += batch.num_rows() as u64;
            take(columns::read(&batch)?)?;
        }
        Ok(spans)
    }
}
