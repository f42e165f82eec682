//! SQL of others: only what reads, within limits.

use std::sync::Arc;

use arrow_array::RecordBatch;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::DataFrame;
use tokio::task::JoinHandle;

use super::super::engine::Lake;
use super::super::fault::query;
use super::super::shared::Shared;
use super::rows::run;
use crate::{Batches, Result, SqlLimits, StoreError};

/// A query that only reads; everything else is refused before it is planned.
pub(in crate::lake) async fn read_only(shared: &Shared, sql: &str) -> Result<DataFrame> {
    let only_reads = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    shared.session.sql_with_options(sql, only_reads).await.map_err(|error| query(&error))
}

impl Lake {
    pub(in crate::lake) async fn run_sql(&self, sql: &str, limits: SqlLimits) -> Result<Batches> {
        let rows = read_only(&self.shared, sql).await?;
        // A row more than allowed tells that there are more; an explanation takes no limit.
        let explains = matches!(rows.logical_plan(), LogicalPlan::Explain(_) | LogicalPlan::Analyze(_));
        let limited = if explains { Ok(rows) } else { rows.limit(0, Some(limits.rows.saturating_add(1))) };
        let limited = limited.map_err(|error| query(&error))?;
        let columns = Arc::new(limited.schema().as_arrow().clone());
        // A task of its own: however long a step of it takes, the limit is told in time.
        let mut work = Working(tokio::spawn(run(limited)));
        let answer = tokio::time::timeout(limits.time, &mut work.0).await;
        let answer = answer.map_err(|_| StoreError::Limit(format!("{} s", limits.time.as_secs_f64())))?;
        let batches = answer.map_err(|_| StoreError::Closed)??;
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        if rows > limits.rows {
            return Err(StoreError::Limit(format!("{} rows", limits.rows)));
        }
        // No rows have columns, too.
        Ok(if batches.is_empty() { vec![RecordBatch::new_empty(columns)] } else { batches })
    }
}

/// A query that ends when nobody waits for it any more.
struct Working(JoinHandle<Result<Batches>>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.abort();
    }
}
