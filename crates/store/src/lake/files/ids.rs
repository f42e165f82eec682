//! Which ids a file may have.

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::ParquetFileReaderFactory as _;
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::error::Result as DataFusionResult;
use datafusion::physical_expr::utils::{Guarantee, LiteralGuarantee};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::arrow::async_reader::{AsyncFileReader, ParquetRecordBatchStreamBuilder};
use parquet::bloom_filter::Sbbf;
use parquet::file::metadata::PageIndexPolicy;
use rustc_hash::FxHashSet;

use super::Files;
use crate::lake::table::Table;

/// Ids, of which a row must have one in a column.
pub(in crate::lake) struct Wanted<'a> {
    column: &'a str,
    ids: FxHashSet<&'a str>,
}

impl<'a> Wanted<'a> {
    pub(in crate::lake) fn new(column: &'a str, ids: FxHashSet<&'a str>) -> Self {
        Self { column, ids }
    }

    /// What a condition says about the ids of a table.
    pub(in crate::lake) fn of(table: Table, guarantees: &'a [LiteralGuarantee]) -> Vec<Self> {
        let is_id =
            |one: &&LiteralGuarantee| one.guarantee == Guarantee::In && table.ids().contains(&one.column.name.as_str());
        let wanted = guarantees.iter().filter(is_id).map(|one| Self {
            column: &one.column.name,
            ids: one.literals.iter().filter_map(|value| value.try_as_str().flatten()).collect(),
        });
        wanted.collect()
    }

    /// The rows from the first that has one of the ids to the last; none if no row has.
    pub(in crate::lake) fn within(&self, rows: RecordBatch) -> Option<RecordBatch> {
        if self.ids.is_empty() {
            return None;
        }
        let column = rows.column_by_name(self.column).and_then(|column| column.as_string_opt::<i32>());
        let Some(column) = column else { return Some(rows) };
        let has = |row: &usize| column.is_valid(*row) && self.ids.contains(column.value(*row));
        let first = (0..column.len()).find(has)?;
        let last = (first..column.len()).rfind(has)?;
        Some(rows.slice(first, last + 1 - first))
    }
}

/// The bloom filters of a file.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Columns, each with the filters of all row groups.
    columns: Vec<(&'static str, Vec<Sbbf>)>,
}

impl Ids {
    /// Reads the filters of columns; a file whose filters cannot be read may have any id, and says what is wrong when it is read.
    pub(super) async fn read(files: &Files, file: &PartitionedFile, names: &[&'static str]) -> Self {
        Self::try_read(files, file, names).await.unwrap_or_default()
    }

    async fn try_read(files: &Files, file: &PartitionedFile, names: &[&'static str]) -> DataFusionResult<Self> {
        let mut opened = files.open(file).await?;
        let mut columns = Vec::new();
        for name in names {
            columns.extend(filters(&mut opened, name).await?.map(|filters| (*name, filters)));
        }
        Ok(Self { columns })
    }

    /// How many row groups there are; none if nothing is known of any.
    pub(super) fn groups(&self) -> usize {
        self.columns.first().map_or(0, |(_, filters)| filters.len())
    }

    /// Which row groups may have one of the ids in each of the columns; empty if nothing is known of any.
    pub(super) fn groups_with(&self, wanted: &[Wanted<'_>]) -> Vec<bool> {
        let mut groups: Vec<bool> = Vec::new();
        for Wanted { column, ids } in wanted {
            let Some((_, filters)) = self.columns.iter().find(|(name, _)| name == column) else { continue };
            groups.resize(filters.len(), true);
            for (may_have, filter) in groups.iter_mut().zip(filters) {
                *may_have &= ids.iter().any(|id| filter.check(*id));
            }
        }
        groups
    }
}

/// A file whose footer was read.
pub(super) type Opened = ParquetRecordBatchStreamBuilder<Box<dyn AsyncFileReader>>;

/// The bloom filters of a column, of all row groups; none if a group has none, which may have anything.
pub(super) async fn filters(opened: &mut Opened, column: &str) -> DataFusionResult<Option<Vec<Sbbf>>> {
    let leaves = opened.parquet_schema().columns();
    let Some(place) = leaves.iter().position(|leaf| leaf.path().string() == column) else { return Ok(None) };
    let groups = opened.metadata().num_row_groups();
    let mut filters = Vec::with_capacity(groups);
    for group in 0..groups {
        filters.extend(opened.get_row_group_column_bloom_filter(group, place).await?);
    }
    Ok((filters.len() == groups).then_some(filters))
}

impl Files {
    /// What opens files: footers are read once.
    pub(super) fn readers(&self) -> CachedParquetFileReaderFactory {
        CachedParquetFileReaderFactory::new(self.store.clone(), self.metadata.clone())
    }

    pub(super) fn reader(&self, file: &PartitionedFile) -> DataFusionResult<Box<dyn AsyncFileReader>> {
        Ok(self.readers().create_reader(0, file.clone(), None, &ExecutionPlanMetricsSet::new())?)
    }

    /// What a file says of its rows.
    pub(super) async fn metadata(&self, file: &PartitionedFile) -> DataFusionResult<ArrowReaderMetadata> {
        // The index of the pages is kept with the footer: who reads the file later would read it anew each time.
        let indexed = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
        Ok(ArrowReaderMetadata::load_async(&mut self.reader(file)?, indexed).await?)
    }

    pub(super) async fn open(&self, file: &PartitionedFile) -> DataFusionResult<Opened> {
        let metadata = self.metadata(file).await?;
        Ok(ParquetRecordBatchStreamBuilder::new_with_metadata(self.reader(file)?, metadata))
    }
}
