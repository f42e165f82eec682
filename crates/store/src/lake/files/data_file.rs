//! One file of a table.

use std::sync::Arc;

use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, ScalarValue, Statistics};
use datafusion::datasource::listing::PartitionedFile;
use deltalake_core::kernel::LogicalFileView;
use object_store::ObjectMeta;
use tokio::sync::OnceCell;

use super::super::fault::{broken, damaged};
use super::super::table::Table;
use super::ids::Ids;
use super::resources::Resources;
use super::{Files, unreadable};
use crate::Result;

/// The column by which files are newer or older.
pub(in crate::lake) const TIME: &str = "start_unix_nano";

/// One file of a table.
#[derive(Debug)]
pub(super) struct DataFile {
    /// The file as the engine knows it.
    pub(super) file: PartitionedFile,
    rows: Option<usize>,
    /// When its oldest and its newest row began.
    times: Option<(i64, i64)>,
    ids: OnceCell<Ids>,
    /// What its resources have, once somebody asked for it.
    pub(super) resources: OnceCell<Resources>,
}

impl DataFile {
    pub(super) fn of(table: Table, view: &LogicalFileView) -> Result<Self> {
        if view.deletion_vector_descriptor().is_some() {
            return Err(unreadable(table));
        }
        let meta = ObjectMeta {
            location: view.object_store_path(),
            last_modified: view.modification_datetime().map_err(|error| broken(&error))?,
            size: u64::try_from(view.size()).unwrap_or(0),
            e_tag: None,
            version: None,
        };
        let stats: serde_json::Value =
            view.stats().and_then(|stats| serde_json::from_str(&stats).ok()).unwrap_or_default();
        let time = |which: &str| stats.get(which)?.get(TIME)?.as_i64();
        let times = time("minValues").zip(time("maxValues"));
        Ok(Self::new(table, meta, folder(table, view)?, view.num_records(), times))
    }

    pub(super) fn new(
        table: Table,
        meta: ObjectMeta,
        folder: Vec<ScalarValue>,
        rows: Option<usize>,
        times: Option<(i64, i64)>,
    ) -> Self {
        let file = PartitionedFile::new_from_meta(meta)
            .with_partition_values(folder)
            .with_statistics(Arc::new(statistics(table, rows, times)));
        Self { file, rows, times, ids: OnceCell::new(), resources: OnceCell::new() }
    }

    /// Where it is in its table.
    pub(super) fn path(&self) -> &str {
        self.file.object_meta.location.as_ref()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.file.object_meta.size
    }

    pub(super) fn rows(&self) -> usize {
        self.rows.unwrap_or(0)
    }

    /// When its newest row began; a file that does not say so comes first.
    pub(super) fn newest(&self) -> i64 {
        self.times.map_or(i64::MAX, |(_, newest)| newest)
    }

    /// When its oldest row began.
    pub(super) fn oldest(&self) -> Option<i64> {
        self.times.map(|(oldest, _)| oldest)
    }

    /// Whether memory holds what was read of it.
    pub(super) fn is_learned(&self) -> bool {
        self.ids.initialized() || self.resources.initialized()
    }

    /// The same file, with nothing in memory of what was read of it.
    pub(super) fn forgotten(&self) -> Self {
        let (file, rows, times) = (self.file.clone(), self.rows, self.times);
        Self { file, rows, times, ids: OnceCell::new(), resources: OnceCell::new() }
    }

    /// How many row groups it has, if that was learned with its ids.
    pub(super) fn known_groups(&self) -> usize {
        self.ids.get().map_or(0, Ids::groups)
    }

    /// Reads which ids it has, once.
    pub(super) async fn learn_ids(&self, files: &Files) -> &Ids {
        self.ids.get_or_init(|| Ids::read(files, &self.file, files.table.ids())).await
    }
}

/// The values of the columns that name its folder.
fn folder(table: Table, view: &LogicalFileView) -> Result<Vec<ScalarValue>> {
    let values = view.partition_values_map();
    let schema = table.schema();
    let value = |name: &&str| {
        let kind = schema.field_with_name(name).map_err(|error| broken(&error))?.data_type();
        let text = values.get(*name).cloned().flatten();
        let text = text.ok_or_else(|| damaged(table.name(), "a file says not where it belongs"))?;
        ScalarValue::try_from_string(text, kind).map_err(|error| broken(&error))
    };
    table.partitions().iter().map(value).collect()
}

fn statistics(table: Table, rows: Option<usize>, times: Option<(i64, i64)>) -> Statistics {
    let exact = |time: Option<i64>| time.map_or(Precision::Absent, |time| Precision::Exact(ScalarValue::from(time)));
    let of = |name: &str| {
        let times = times.filter(|_| name == TIME).unzip();
        ColumnStatistics::new_unknown().with_min_value(exact(times.0)).with_max_value(exact(times.1))
    };
    Statistics {
        num_rows: rows.map_or(Precision::Absent, Precision::Exact),
        total_byte_size: Precision::Absent,
        column_statistics: table.file_schema().fields().iter().map(|field| of(field.name())).collect(),
    }
}
