//! SQL of others: only what reads, within limits.

use datafusion::execution::context::SQLOptions;
use datafusion::prelude::DataFrame;

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
        let answer = async {
            let rows = read_only(&self.shared, sql).await?;
            // A row more than allowed tells that there are more; explanations and the like take no limit.
            let plan = rows.logical_plan();
            let explains = matches!(
                plan,
                datafusion::logical_expr::LogicalPlan::Explain(_) | datafusion::logical_expr::LogicalPlan::Analyze(_)
            );
            let rows = if explains {
                rows
            } else {
                rows.limit(0, Some(limits.rows.saturating_add(1))).map_err(|error| query(&error))?
            };
            run(rows).await
        };
        let answer = tokio::time::timeout(limits.time, answer).await;
        let batches = answer.map_err(|_| StoreError::Limit(format!("{} s", limits.time.as_secs_f64())))??;
        let rows: usize = batches.iter().map(arrow_array::RecordBatch::num_rows).sum();
        if rows > limits.rows {
            return Err(StoreError::Limit(format!("{} rows", limits.rows)));
        }
        Ok(batches)
    }
}
