//! Keeps the tables in order: small files are merged, files that nobody needs are deleted.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::Arc;

use deltalake_core::DeltaTableError;

use super::cold::Cold;
use super::engine::Lake;
use super::fault::delta;
use super::properties::writer_properties;
use super::session::rewriting;
use super::shared::Shared;
use super::table::Table;
use crate::{Progress, Result};

/// How large merged files get.
const TARGET: u64 = 128 << 20;
/// A file below this is small.
const SMALL: i64 = 32 << 20;

impl Lake {
    /// Merges small files, drops what is too old, deletes files that nobody needs, and tells how far it is.
    pub async fn compact(&self, mut tell: impl FnMut(Progress)) -> Result<()> {
        let steps = Table::ALL.len() as u64;
        let mut done = 0;
        let mut step = |doing: String, done: u64| tell(Progress { doing, done, of: steps + 1 });
        step("old days".to_owned(), done);
        self.shared.expire().await?;
        for table in Table::ALL {
            done += 1;
            step(format!("table {}", table.name()), done);
            let cold = self.shared.cold(table)?;
            cold.merge(1).await?;
            cold.fingerprint_all().await?;
            cold.sweep().await?;
        }
        let cold = self.shared.files().await?;
        self.shared.hot_mut().cold = cold;
        step("done".to_owned(), steps + 1);
        Ok(())
    }
}

impl Shared {
    /// One turn of the background; what fails is told and tried again later.
    pub(super) async fn tidy(self: &Arc<Self>) {
        if let Err(error) = self.expire().await {
            self.problem(format!("old data stays: {error}"));
        }
        for cold in &self.cold {
            let tidied = async {
                cold.merge(self.options.limits.small_files).await?;
                cold.fingerprint_all().await?;
                cold.sweep().await
            };
            if let Err(error) = tidied.await {
                self.problem(format!("small files stay: {error}"));
            }
        }
    }
}

impl Cold {
    /// Merges small files where so many have gathered in one folder; one at a time, so that it does not crowd others out.
    async fn merge(&self, small_files: usize) -> Result<()> {
        let failed = |error: DeltaTableError| delta("compact", self.table.name(), &error);
        let mut table = self.delta().await;
        table.update_state().await.map_err(failed)?;
        let mut small: BTreeMap<Vec<(String, Option<String>)>, usize> = BTreeMap::new();
        for file in self.adds(&table)?.into_iter().filter(|file| file.size < SMALL) {
            let mut folder: Vec<_> = file.partition_values.into_iter().collect();
            folder.sort();
            *small.entry(folder).or_default() += 1;
        }
        if !small.values().any(|files| *files > small_files) {
            return Ok(());
        }
        let target = NonZeroU64::new(TARGET).unwrap_or(NonZeroU64::MIN);
        let merging = table.optimize().with_target_size(target).with_max_concurrent_tasks(1);
        let merging = merging.with_writer_properties(writer_properties(self.table, 1 << 20));
        let (merged, _) = merging.with_session_state(rewriting()).await.map_err(failed)?;
        self.replace(merged).await;
        Ok(())
    }

    /// Deletes files that have been in no version for so long that no query reads them any more.
    async fn sweep(&self) -> Result<()> {
        let failed = |error: DeltaTableError| delta("clean", self.table.name(), &error);
        let (swept, _) = self.delta().await.vacuum().await.map_err(failed)?;
        self.replace(swept).await;
        Ok(())
    }
}
