//! What all parts of an open lake have in common.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::fs::File;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use datafusion::arrow::array::RecordBatch;
use datafusion::prelude::SessionContext;

use super::cold::Cold;
use super::hot::Hot;
use super::live::View;
use super::options::Options;
use super::place::Place;
use super::read::read;
use super::segments::Segments;
use super::table::Table;
use crate::{Result, StoreError};

/// How many problems are remembered.
const PROBLEMS: usize = 32;

/// What all parts of an open lake have in common.
pub(super) struct Shared {
    pub(super) options: Options,
    /// The name under which this log commits to the tables.
    pub(super) id: String,
    pub(super) place: Place,
    pub(super) session: SessionContext,
    pub(super) cold: Vec<Cold>,
    /// The segments on the disk.
    pub(super) segments: Mutex<Segments>,
    hot: RwLock<Hot>,
    /// Held by whoever reads requests into rows.
    reading: Mutex<()>,
    drops: Mutex<BTreeMap<&'static str, u64>>,
    problems: Mutex<VecDeque<String>>,
    /// Held as long as the folder is in use.
    lock: File,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lake")
            .field("data", &self.options.data)
            .field("tables", &self.place.root())
            .finish_non_exhaustive()
    }
}

impl Shared {
    pub(super) fn new(
        options: Options,
        id: String,
        place: Place,
        session: SessionContext,
        cold: Vec<Cold>,
        hot: Hot,
        lock: File,
    ) -> Self {
        Self {
            options,
            id,
            place,
            session,
            cold,
            segments: Mutex::default(),
            hot: RwLock::new(hot),
            reading: Mutex::default(),
            drops: Mutex::default(),
            problems: Mutex::default(),
            lock,
        }
    }

    /// Lets another process have the folder.
    pub(super) fn unlock(&self) {
        let _ = self.lock.unlock();
    }

    /// Memory, to read. Nothing that holds this lock can panic half way, so a poisoned one is whole.
    pub(super) fn hot(&self) -> RwLockReadGuard<'_, Hot> {
        self.hot.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory, to change.
    pub(super) fn hot_mut(&self) -> RwLockWriteGuard<'_, Hot> {
        self.hot.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The segments on the disk.
    pub(super) fn segments(&self) -> MutexGuard<'_, Segments> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lake's part of a table.
    pub(super) fn cold(&self, table: Table) -> Result<&Cold> {
        self.cold.iter().find(|cold| cold.table == table).ok_or(StoreError::Closed)
    }

    /// Counts what was not kept.
    pub(super) fn dropped(&self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.drops.lock().unwrap_or_else(PoisonError::into_inner).entry(reason).or_default() += count;
        }
    }

    /// What was not kept, by reason.
    pub(super) fn drops(&self) -> Vec<(String, u64)> {
        let drops = self.drops.lock().unwrap_or_else(PoisonError::into_inner);
        drops.iter().map(|(reason, count)| ((*reason).to_owned(), *count)).collect()
    }

    /// Remembers that something went wrong; the same thing again moves to the front.
    pub(super) fn problem(&self, what: String) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.retain(|old| *old != what);
        problems.push_front(what);
        problems.truncate(PROBLEMS);
    }

    /// What went wrong lately, newest first.
    pub(super) fn problems(&self) -> Vec<String> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Reads requests that nobody asked for yet, while more come: whatever was acknowledged before this call is among the
    /// rows after it.
    pub(super) fn read(&self) -> Result<()> {
        let _alone = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let unread = self.hot().unread();
        for (segment, requests) in unread {
            let rows = read(&requests)?;
            self.hot_mut().put_rows(segment, requests.len(), rows)?;
        }
        Ok(())
    }

    /// The same without being in anybody's way; at once if there is nothing to read.
    pub(super) async fn read_all(self: &Arc<Self>) -> Result<()> {
        if self.hot().unread().is_empty() {
            return Ok(());
        }
        let shared = Arc::clone(self);
        tokio::task::spawn_blocking(move || shared.read()).await.unwrap_or(Err(StoreError::Closed))
    }

    /// A table at this moment; of spans, those that were read.
    pub(super) fn view(&self, table: Table) -> Result<View> {
        if table == Table::Spans && !self.hot().is_stamped() {
            self.hot_mut().stamp()?;
        }
        let hot = self.hot();
        let batches: Vec<RecordBatch> = match table {
            Table::Spans => {
                let native = hot.segments.values().flat_map(super::hot::HotSegment::rows);
                native.cloned().chain(hot.journey_rows(table)).collect()
            }
            Table::Edges | Table::Journeys => hot.journey_rows(table),
            Table::Runs => vec![super::table::runs_of(hot.runs.values())?],
        };
        let overridden = match table {
            Table::Runs => hot.runs.keys().map(ToString::to_string).collect(),
            _ => hot.overridden().iter().map(ToString::to_string).collect(),
        };
        let cold = hot.files_of(table)?;
        Ok(View { hot: batches.into_iter().filter(|rows| rows.num_rows() > 0).collect(), cold, overridden })
    }
}
