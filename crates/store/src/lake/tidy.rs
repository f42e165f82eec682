//! Keeps the tables in order: small files are merged, old days go, files that nobody needs are deleted.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;

use datafusion::prelude::{col, lit};
use datafusion::scalar::ScalarValue;
use deltalake_core::DeltaTableError;
use deltalake_core::kernel::Add;

use super::cold::Cold;
use super::engine::Lake;
use super::fault::delta;
use super::flush::now;
use super::properties::writer_properties;
use super::shared::Shared;
use super::table::{Table, day_of};
use crate::{Progress, Result};

/// How large merged files get.
const TARGET: u64 = 128 << 20;
/// A file below this is small.
const SMALL: i64 = 32 << 20;

/// The classes of spans, with what goes first when there is too much.
const CLASSES: [&str; 3] = ["background", "segment", "journey"];

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
        let cold = self.shared.providers().await?;
        self.shared.hot_mut().cold = cold;
        step("done".to_owned(), steps + 1);
        Ok(())
    }
}

impl Shared {
    /// One turn of the background; what fails is told and tried again later.
    pub(super) async fn tidy(&self) {
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

    /// Drops days that are too old, then the oldest while there is too much.
    async fn expire(&self) -> Result<()> {
        let retention = &self.options.retention;
        let today = day_of(now());
        for (class, age) in
            [("background", retention.background), ("segment", retention.segments), ("journey", retention.journeys)]
        {
            if let Some(age) = age {
                self.drop_days(class, today - days(age)).await?;
            }
        }
        let Some(limit) = retention.bytes else { return Ok(()) };
        let mut sizes = self.sizes().await?;
        let mut total: u64 = sizes.values().sum();
        while total > limit {
            let Some(((place, day), bytes)) = sizes.pop_first() else { break };
            // What is being written today stays.
            if day < today {
                self.drop_days(CLASSES[place], day + 1).await?;
                total = total.saturating_sub(bytes);
            }
        }
        Ok(())
    }

    /// Drops all days of a class before one; whole folders, so that nothing is rewritten.
    async fn drop_days(&self, class: &str, before: i32) -> Result<()> {
        let old = || col("day").lt(lit(ScalarValue::Date32(Some(before))));
        for table in Table::ALL {
            let which = match table {
                Table::Spans => old().and(col("class").eq(lit(class))),
                _ if class == "journey" => old(),
                _ => continue,
            };
            let cold = self.cold(table)?;
            let files = cold.adds(&cold.delta().await)?;
            if files.iter().any(|file| day(file).is_some_and(|day| day < before) && in_class(file, table, class)) {
                cold.remove(which).await?;
            }
        }
        Ok(())
    }

    /// Bytes by class, the first to go first, and day.
    async fn sizes(&self) -> Result<BTreeMap<(usize, i32), u64>> {
        let mut sizes = BTreeMap::new();
        for table in Table::ALL {
            let cold = self.cold(table)?;
            for file in cold.adds(&cold.delta().await)? {
                let place = CLASSES.iter().position(|class| in_class(&file, table, class)).unwrap_or(2);
                let key = (place, day(&file).unwrap_or(i32::MAX));
                *sizes.entry(key).or_default() += u64::try_from(file.size).unwrap_or(0);
            }
        }
        Ok(sizes)
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
        let (merged, _) =
            merging.with_writer_properties(writer_properties(self.table, 1 << 20)).await.map_err(failed)?;
        self.replace(merged).await;
        Ok(())
    }

    /// Deletes files that no version needs which a query may still read.
    async fn sweep(&self) -> Result<()> {
        let failed = |error: DeltaTableError| delta("clean", self.table.name(), &error);
        let (swept, _) = self.delta().await.vacuum().await.map_err(failed)?;
        self.replace(swept).await;
        Ok(())
    }
}

fn days(age: Duration) -> i32 {
    i32::try_from(age.as_secs() / 86_400).unwrap_or(i32::MAX / 2)
}

fn in_class(file: &Add, table: Table, class: &str) -> bool {
    match table {
        Table::Spans => file.partition_values.get("class").and_then(Option::as_deref) == Some(class),
        _ => class == "journey",
    }
}

fn day(file: &Add) -> Option<i32> {
    let date = clew_model::Time::parse_bytes(
        format!("{}T00:00:00Z", file.partition_values.get("day")?.as_deref()?).as_bytes(),
    );
    date.ok().map(|date| day_of(date.as_nanos()))
}
