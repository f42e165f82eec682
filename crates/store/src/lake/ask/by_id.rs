//! Rows by id, out of memory and files.

use std::sync::Arc;

use clew_model::Span;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::filter_record_batch;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::super::by_id::ById;
use super::super::engine::Lake;
use super::super::fault::{broken, query};
use super::super::files::{Files, Part};
use super::super::live::View;
use super::super::session::cores;
use super::super::shared::Shared;
use super::super::table::Table;
use super::rows::beside;
use crate::Result;
use crate::columns::{self, MADE_OF};

/// Names of columns.
type Columns = &'static [&'static str];

/// Where rows that are asked for are.
struct Found {
    /// Those in memory.
    hot: Vec<RecordBatch>,
    cold: Arc<Files>,
    /// Where in the files they may be.
    parts: Vec<Part>,
    /// What is asked of the files.
    asked: Arc<ById>,
}

impl Lake {
    /// The rows of a table that are asked for.
    pub(super) async fn rows_by_id(&self, table: Table, asked: ById, columns: Columns) -> Result<Vec<RecordBatch>> {
        let shared = Arc::clone(&self.shared);
        beside(async move {
            let Found { hot: mut rows, cold, parts, asked } = find(&shared, table, asked, columns).await?;
            for part in parts {
                let read = part.read(&cold, &asked, columns).map_err(|error| query(&error))?;
                rows.extend(read.try_collect::<Vec<_>>().await.map_err(|error| query(&error))?);
            }
            Ok(rows)
        })
        .await
    }

    /// So many of the spans that are asked for at most. Each part is read, and made into spans, by a core of its own.
    pub(super) async fn spans_by_id(&self, asked: ById, at_most: usize) -> Result<Vec<Span>> {
        let shared = Arc::clone(&self.shared);
        beside(async move {
            let Found { hot, cold, parts, asked } = find(&shared, Table::Spans, asked, &MADE_OF).await?;
            let mut spans = Vec::new();
            for rows in &hot {
                spans.extend(columns::read(rows)?);
            }
            let of_part = |part| beside(spans_of(part, Arc::clone(&cold), Arc::clone(&asked), at_most));
            let mut made = stream::iter(parts).map(of_part).buffer_unordered(cores());
            while spans.len() < at_most
                && let Some(more) = made.try_next().await?
            {
                spans.extend(more);
            }
            spans.truncate(at_most);
            Ok(spans)
        })
        .await
    }
}

async fn find(shared: &Arc<Shared>, table: Table, asked: ById, columns: Columns) -> Result<Found> {
    if table == Table::Spans {
        shared.read_all().await?;
    }
    let View { hot, cold, overridden } = shared.view(table)?;
    let (wanted, mut found) = (asked.wanted(), Vec::new());
    for rows in hot.into_iter().filter_map(|rows| wanted.within(rows)) {
        found.push(in_memory(&rows, &asked, columns)?);
    }
    let asked = Arc::new(asked.but_not_of(overridden));
    let parts = cold.parts(&asked).await.map_err(|error| query(&error))?;
    Ok(Found { hot: found, cold, parts, asked })
}

/// The rows of a batch that are asked for.
fn in_memory(rows: &RecordBatch, asked: &ById, columns: Columns) -> Result<RecordBatch> {
    let is_asked = asked.matches(rows).map_err(|error| broken(&error))?;
    let places = columns.iter().map(|name| rows.schema_ref().index_of(name));
    let places = places.collect::<std::result::Result<Vec<_>, _>>().map_err(|error| broken(&error))?;
    let rows = rows.project(&places).and_then(|rows| filter_record_batch(&rows, &is_asked));
    rows.map_err(|error| broken(&error))
}

async fn spans_of(part: Part, files: Arc<Files>, asked: Arc<ById>, at_most: usize) -> Result<Vec<Span>> {
    let mut rows = part.read(&files, &asked, &MADE_OF).map_err(|error| query(&error))?;
    let mut spans = Vec::new();
    while spans.len() < at_most
        && let Some(rows) = rows.try_next().await.map_err(|error| query(&error))?
    {
        spans.extend(columns::read(&rows)?);
    }
    Ok(spans)
}
