//! Lists of spans.

use clew_model::Span;
use datafusion::prelude::{col, lit};

use super::super::engine::Lake;
use super::super::fault::query;
use super::super::table::{Table, read_spans};
use super::rows::run;
use super::time::keep;
use crate::{Result, SpanQuery};

/// How many spans are given at most.
const SPANS: usize = 100_000;

impl Lake {
    pub(in crate::lake) async fn list_spans(&self, asked: &SpanQuery) -> Result<Vec<Span>> {
        let mut rows = self.matching(Table::Spans, asked.range, &asked.filter).await?;
        if !asked.woven {
            rows = keep(rows, col("class").not_eq(lit("journey")))?;
        }
        let newest = vec![col("start_unix_nano").sort(false, false), col("span_id").sort(true, false)];
        let rows = rows.sort(newest).and_then(|rows| rows.limit(0, Some(asked.limit.clamp(1, SPANS))));
        let mut spans = Vec::new();
        for batch in run(rows.map_err(|error| query(&error))?).await? {
            spans.extend(read_spans(&batch)?);
        }
        Ok(spans)
    }
}
