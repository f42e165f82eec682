//! From memory into the lake.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use datafusion::logical_expr::Expr;
use datafusion::prelude::{col, lit};
use deltalake_core::kernel::Transaction;

use super::files::Files;
use super::parts::{PartsWriter, parts, rows_from_bytes, rows_to_bytes};
use super::segments::delete;
use super::shared::Shared;
use super::straight::Straight;
use super::table::{Table, runs_from, runs_of};
use super::work::Work;
use crate::log::whole;
use crate::{Result, Run};

/// How far the lake is: one at a time works on it.
#[derive(Debug, Default)]
pub(super) struct Flushing {
    /// The number of the last work that is done.
    pub(super) number: i64,
    /// A work that was begun and must be ended before another.
    pub(super) pending: Option<Work>,
}

impl Shared {
    /// The name under which the last segment that is in the lake is committed with its rows.
    pub(super) fn segment_id(&self) -> String {
        format!("{}-segment", self.id)
    }

    fn state_file(&self) -> PathBuf {
        self.options.data.join("state")
    }

    fn work_file(&self) -> PathBuf {
        self.options.data.join("work")
    }

    /// Reads how far the lake is: the state, segments that are in it, and runs that are not.
    pub(super) fn read_state(&self) -> Result<(Flushing, u64, Vec<Run>)> {
        let (mut flushing, mut flushed, mut runs) = (Flushing::default(), 0, Vec::new());
        if let Some(bytes) = whole::read(&self.state_file())? {
            let all = parts(&Bytes::from(bytes))?;
            let number =
                |place: usize| all.get(place).and_then(|part| Some(u64::from_le_bytes(part[..].try_into().ok()?)));
            flushing.number = number(0).and_then(|number| i64::try_from(number).ok()).unwrap_or(0);
            flushed = number(1).unwrap_or(0);
            for rows in rows_from_bytes(all.get(2).cloned().unwrap_or_default())? {
                runs.extend(runs_from(&rows)?);
            }
        }
        if let Some(bytes) = whole::read(&self.work_file())? {
            let work = Work::from_bytes(&Bytes::from(bytes))?;
            flushing.pending = (work.number > flushing.number).then_some(work);
        }
        Ok((flushing, flushed, runs))
    }

    fn write_state(&self, number: i64) -> Result<()> {
        let mut parts = PartsWriter::default();
        parts.push(&number.to_le_bytes());
        parts.push(&self.segments().flushed.to_le_bytes());
        let runs = {
            let hot = self.hot();
            if hot.runs.is_empty() { Vec::new() } else { vec![runs_of(hot.runs.values())?] }
        };
        parts.push(&rows_to_bytes(&runs)?);
        whole::write(&self.state_file(), &parts.finish())
    }

    /// Moves what may go into the lake; says whether there was anything.
    pub(super) async fn flush(&self, flushing: &mut Flushing, all: bool) -> Result<bool> {
        let again = flushing.pending.is_some();
        if !again {
            let mut work = self.hot_mut().work(flushing.number + 1, &self.options, all, now())?;
            if work.is_empty() {
                return Ok(false);
            }
            work.even_out()?;
            // Native rows alone need no such file: the log has them, and one commit says whether they are in the lake.
            if !work.digests.is_empty() || !work.runs.is_empty() || !work.replaced.is_empty() {
                whole::write(&self.work_file(), &work.to_bytes()?)?;
            }
            flushing.pending = Some(work);
        }
        let Some(work) = &flushing.pending else { return Ok(false) };
        self.apply(work, again).await?;
        let cold = self.files().await?;
        {
            let mut hot = self.hot_mut();
            hot.cold = cold;
            hot.done(work);
        }
        let number = work.number;
        if let Some(last) = work.segments.iter().max() {
            let mut segments = self.segments();
            segments.flushed = segments.flushed.max(*last);
        }
        flushing.number = number;
        flushing.pending = None;
        self.write_state(number)?;
        let _ = std::fs::remove_file(self.work_file());
        self.delete_outlived();
        Ok(true)
    }

    /// Writes a work to the tables; those that have it from an earlier try are left alone.
    async fn apply(&self, work: &Work, again: bool) -> Result<()> {
        let straight = Straight::new(&work.unread, &work.attached);
        for table in Table::ALL {
            let cold = self.cold(table)?;
            if again && cold.transaction(&self.id).await?.is_some_and(|last| last >= work.number) {
                continue;
            }
            if let Some(which) = old_rows(table, work) {
                cold.remove(which).await?;
            }
            let segment = work.segments.iter().max().and_then(|last| i64::try_from(*last).ok());
            let mut transactions = vec![Transaction::new(&self.id, work.number)];
            transactions.extend(segment.map(|last| Transaction::new(self.segment_id(), last)));
            let spans = (table == Table::Spans).then_some(&straight);
            cold.append(&work.rows(table), spans, transactions).await?;
        }
        Ok(())
    }

    /// What queries read of the lake from now on, with what others committed.
    pub(super) async fn files(&self) -> Result<Vec<Arc<Files>>> {
        let mut files = Vec::with_capacity(Table::ALL.len());
        for table in Table::ALL {
            files.push(self.cold(table)?.files().await?);
        }
        Ok(files)
    }

    /// Deletes segments that nobody needs any more.
    pub(super) fn delete_outlived(&self) {
        let limits = &self.options.limits;
        let (gone, lost) = self.segments().outlived(limits.log_bytes, limits.replica_bytes);
        self.dropped("records of the log that no checkpoint covers", lost);
        for problem in delete(&self.log_folder(), &gone) {
            self.problem(problem);
        }
    }

    /// The folder of the log.
    pub(super) fn log_folder(&self) -> PathBuf {
        self.options.data.join("log")
    }
}

/// The rows of a table that newer versions replace.
fn old_rows(table: Table, work: &Work) -> Option<Expr> {
    // Of runs, which are few, it is not remembered whether the table has an older version.
    let (column, ids) = if table == Table::Runs { ("run_id", &work.run_ids) } else { ("journey_id", &work.replaced) };
    if ids.is_empty() {
        return None;
    }
    let which = col(column).in_list(ids.iter().map(|id| lit(id.to_string())).collect(), false);
    Some(if table == Table::Spans { which.and(col("class").eq(lit("journey"))) } else { which })
}

/// The time, for the age of data.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
