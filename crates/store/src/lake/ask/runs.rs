//! Lists of runs.

use datafusion::prelude::{col, lit};

use super::super::engine::Lake;
use super::super::fault::query;
use super::super::table::{Table, runs_from};
use super::rows::{frame, run};
use super::time::{keep, within};
use crate::{Result, Run, RunQuery};

/// How many runs are given at most.
const RUNS: usize = 10_000;

impl Lake {
    pub(in crate::lake) async fn list_runs(&self, asked: &RunQuery) -> Result<Vec<Run>> {
        let mut rows = within(frame(&self.shared, Table::Runs).await?, asked.range)?;
        for (column, value) in [("command", &asked.command), ("version", &asked.version)] {
            if let Some(value) = value {
                rows = keep(rows, col(column).eq(lit(value.as_str())))?;
            }
        }
        let newest = vec![col("start_unix_nano").sort(false, false), col("run_id").sort(true, false)];
        let rows = rows.sort(newest).and_then(|rows| rows.limit(0, Some(asked.limit.clamp(1, RUNS))));
        let mut runs = Vec::new();
        for batch in run(rows.map_err(|error| query(&error))?).await? {
            runs.extend(runs_from(&batch)?);
        }
        Ok(runs)
    }
}
