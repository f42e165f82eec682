//! Lists of spans.

use clew_model::{Span, Time, TraceId};
use datafusion::arrow::array::RecordBatch;
use datafusion::logical_expr::SortExpr;
use datafusion::prelude::{DataFrame, col, lit};
use rustc_hash::FxHashSet;

use super::super::engine::Lake;
use super::super::fault::query;
use super::super::table::Table;
use super::rows::{frame, numbers, run, spans_of, texts};
use super::time::keep;
use crate::{Hit, Hits, Result, SpanQuery, TimeRange};

/// How many spans are given at most.
const SPANS: usize = 100_000;
/// As many are first looked for by their ids alone, and then read; for more, looking twice would cost more than it saves.
const LOOKED_UP: usize = 4096;

/// Where spans are.
#[derive(Debug, Default)]
struct Places {
    oldest: i64,
    newest: i64,
    traces: FxHashSet<String>,
    spans: FxHashSet<String>,
}

impl Lake {
    pub(in crate::lake) async fn list_spans(&self, asked: &SpanQuery) -> Result<Vec<Span>> {
        let limit = asked.limit.clamp(1, SPANS);
        let rows = if limit > LOOKED_UP {
            newest(self.asked_for(asked).await?, limit)?
        } else {
            match self.places(asked, limit).await? {
                Some(places) => newest(self.at(places).await?, limit)?,
                None => return Ok(Vec::new()),
            }
        };
        spans_of(rows, limit).await
    }

    pub(in crate::lake) async fn list_hits(&self, asked: &SpanQuery, traces: usize) -> Result<Hits> {
        let limit = asked.limit.clamp(1, SPANS);
        let has_traces = |found: &[RecordBatch]| {
            let ids: FxHashSet<TraceId> = hits_in(found)?.iter().map(|hit| hit.trace).collect();
            Ok(ids.len() >= traces)
        };
        let columns = ["start_unix_nano", "span_id", "trace_id", "class"];
        let (found, is_recent) = self.newest_of(asked, limit, &columns, has_traces).await?;
        let hits = hits_in(&found)?;
        Ok(Hits { more: is_recent || hits.len() >= limit, hits })
    }

    /// Some columns of the newest rows, and whether older ones were not looked for. Recent times are asked first: what is common
    /// is found there, and older files are not opened for it.
    async fn newest_of(
        &self,
        asked: &SpanQuery,
        limit: usize,
        columns: &[&str],
        is_enough: impl Fn(&[RecordBatch]) -> Result<bool>,
    ) -> Result<(Vec<RecordBatch>, bool)> {
        let files = self.shared.hot().files_of(Table::Spans)?;
        let windows = self.shared.options.limits.recent_rows;
        let mut recent = windows.iter().filter_map(|rows| files.since(asked.range, *rows));
        loop {
            let since = recent.next();
            let from = since.map(Time::from_nanos).or(asked.range.from);
            let asked = SpanQuery { range: TimeRange { from, ..asked.range }, ..asked.clone() };
            let rows = self.asked_for(&asked).await?.select_columns(columns).map_err(|error| query(&error))?;
            let found = run(newest(rows, limit)?).await?;
            let rows: usize = found.iter().map(RecordBatch::num_rows).sum();
            if since.is_none() || rows >= limit || is_enough(&found)? {
                return Ok((found, since.is_some()));
            }
            if rows == 0 {
                // Most likely there is nothing of it anywhere.
                recent.by_ref().for_each(drop);
            }
        }
    }

    async fn asked_for(&self, asked: &SpanQuery) -> Result<DataFrame> {
        let rows = self.matching(Table::Spans, asked.range, &asked.filter).await?;
        if asked.woven { Ok(rows) } else { keep(rows, col("class").not_eq(lit("journey"))) }
    }

    /// First the ids alone: what a span is made of, its maps above all, is read for those that are given only.
    async fn places(&self, asked: &SpanQuery, limit: usize) -> Result<Option<Places>> {
        let mut places = Places { oldest: i64::MAX, newest: i64::MIN, ..Places::default() };
        let columns = ["start_unix_nano", "span_id", "trace_id"];
        for batch in self.newest_of(asked, limit, &columns, |_| Ok(false)).await?.0 {
            for start in numbers(&batch, 0)? {
                places.oldest = places.oldest.min(start);
                places.newest = places.newest.max(start);
            }
            places.spans.extend(texts(&batch, 1)?);
            places.traces.extend(texts(&batch, 2)?);
        }
        Ok((!places.spans.is_empty()).then_some(places))
    }

    async fn at(&self, places: Places) -> Result<DataFrame> {
        let list = |ids: FxHashSet<String>| ids.into_iter().map(lit).collect();
        let condition = col("start_unix_nano")
            .between(lit(places.oldest), lit(places.newest))
            .and(col("trace_id").in_list(list(places.traces), false))
            .and(col("span_id").in_list(list(places.spans), false));
        keep(frame(&self.shared, Table::Spans).await?, condition)
    }
}

/// Where the spans of rows are that have their start, id, trace and class.
fn hits_in(found: &[RecordBatch]) -> Result<Vec<Hit>> {
    let mut hits = Vec::new();
    for batch in found {
        let traces = texts(batch, 2)?.into_iter().zip(texts(batch, 3)?);
        for (start, (trace, class)) in numbers(batch, 0)?.into_iter().zip(traces) {
            let Ok(trace) = trace.parse() else { continue };
            hits.push(Hit { trace, start: Time::from_nanos(start), woven: class == "journey" });
        }
    }
    Ok(hits)
}

/// The newest of the rows.
fn newest(rows: DataFrame, limit: usize) -> Result<DataFrame> {
    let order: Vec<SortExpr> = vec![col("start_unix_nano").sort(false, false), col("span_id").sort(true, false)];
    rows.sort(order).and_then(|rows| rows.limit(0, Some(limit))).map_err(|error| query(&error))
}
