//! What is too old or too much goes, by whole days of a class; of a day that goes on, by whole files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use clew_model::TraceId;
use datafusion::arrow::array::RecordBatch;
use datafusion::catalog::TableProvider;
use datafusion::common::JoinType;
use datafusion::prelude::{DataFrame, col, lit};
use datafusion::scalar::ScalarValue;
use deltalake_core::kernel::Add;
use rustc_hash::FxHashMap;

use super::ask::{frame, run, texts};
use super::fault::query;
use super::files::Files;
use super::flush::now;
use super::live::LiveTable;
use super::shared::Shared;
use super::table::{Table, day_of, stamp};
use crate::Result;

/// The classes of spans, with what goes first when there is too much.
const CLASSES: [&str; 3] = ["background", "segment", "journey"];

impl Shared {
    /// Drops days that are too old, then the oldest while there is too much.
    pub(super) async fn expire(self: &Arc<Self>) -> Result<()> {
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
            let gone = if day < today {
                self.drop_days(CLASSES[place], day + 1).await?;
                bytes
            } else {
                self.thin_out(CLASSES[place], day, total - limit).await?
            };
            total = total.saturating_sub(gone);
        }
        Ok(())
    }

    /// Drops all days of a class before one.
    async fn drop_days(self: &Arc<Self>, class: &str, before: i32) -> Result<()> {
        for table in Table::ALL {
            let cold = self.cold(table)?;
            let files = cold.adds(&cold.delta().await)?;
            let old = files.iter().filter(|file| in_class(file, table, class)).filter_map(day);
            let old: BTreeSet<i32> = old.filter(|day| *day < before).collect();
            for this in old {
                let all = || Arc::new(LiveTable::of_the_lake(Table::Spans, Arc::downgrade(self)));
                let kept = if class == "background" { self.attached_later(all(), this).await? } else { Vec::new() };
                // Whole files go, so that nothing else is rewritten.
                cold.drop_files(|file| in_class(file, table, class) && day(file) == Some(this), &kept).await?;
            }
        }
        Ok(())
    }

    /// Drops the oldest files of a day on which more may come, and tells how many bytes they had: as many as are too much, or
    /// all but the newest. Journeys stay, which have their rows in several tables.
    async fn thin_out(self: &Arc<Self>, class: &str, day: i32, too_much: u64) -> Result<u64> {
        if class == "journey" {
            return Ok(0);
        }
        let cold = self.cold(Table::Spans)?;
        let folder = [ScalarValue::from(class), ScalarValue::Date32(Some(day))];
        let going = Arc::new(cold.files().await?.oldest(&folder, too_much));
        let kept = if class == "background" {
            self.attached_later(Arc::<Files>::clone(&going), day).await?
        } else {
            Vec::new()
        };
        cold.drop_files(|file| going.has(&file.path), &kept).await?;
        Ok(going.bytes())
    }

    /// The background of a day that turned out to belong to journeys after it was written: now it says so.
    async fn attached_later(&self, written: Arc<dyn TableProvider>, day: i32) -> Result<Vec<RecordBatch>> {
        let written = self.session.read_table(written).map_err(|error| query(&error))?;
        let background = col("class").eq(lit("background")).and(col("day").eq(lit(ScalarValue::Date32(Some(day)))));
        let background = written.filter(background).map_err(|error| query(&error))?;
        let traces = background.clone().select_columns(&["trace_id"]).and_then(DataFrame::distinct);
        let edges = frame(self, Table::Edges).await?.select_columns(&["segment_trace_id", "journey_id"]);
        let attached =
            edges.and_then(|edges| edges.join(traces?, JoinType::Inner, &["segment_trace_id"], &["trace_id"], None));
        let mut journeys: FxHashMap<TraceId, TraceId> = FxHashMap::default();
        for rows in run(attached.map_err(|error| query(&error))?).await? {
            let ids = texts(&rows, 0)?.into_iter().zip(texts(&rows, 1)?);
            journeys.extend(ids.filter_map(|(trace, journey)| {
                let both: (TraceId, TraceId) = (trace.parse().ok()?, journey.parse().ok()?);
                Some(both)
            }));
        }
        if journeys.is_empty() {
            return Ok(Vec::new());
        }
        let traces = journeys.keys().map(|trace| lit(trace.to_string())).collect();
        let rows = background.filter(col("trace_id").in_list(traces, false)).map_err(|error| query(&error))?;
        let rows = run(rows).await?;
        rows.iter().filter_map(|rows| stamp(rows, &journeys).transpose()).collect()
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
