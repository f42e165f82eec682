//! Which ids a file may have, and where.

use std::ops::Range;

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::ParquetFileReaderFactory as _;
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::error::Result as DataFusionResult;
use datafusion::physical_expr::utils::{Guarantee, LiteralGuarantee};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::arrow::async_reader::{AsyncFileReader, ParquetRecordBatchStreamBuilder};
use parquet::bloom_filter::Sbbf;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use rustc_hash::FxHashSet;

use super::Files;
use crate::lake::table::Table;

/// Ids, of which a row must have one in a column.
pub(in crate::lake) struct Wanted<'a> {
    column: &'a str,
    ids: FxHashSet<&'a str>,
}

impl<'a> Wanted<'a> {
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
        let column = rows.column_by_name(self.column).and_then(|column| column.as_string_opt::<i32>());
        let Some(column) = column else { return Some(rows) };
        let has = |row: &usize| column.is_valid(*row) && self.ids.contains(column.value(*row));
        let first = (0..column.len()).find(has)?;
        let last = (first..column.len()).rfind(has)?;
        Some(rows.slice(first, last + 1 - first))
    }
}

/// What is known of the ids of a file: of each column of them, in each row group.
#[derive(Debug, Default)]
pub(super) struct Ids {
    columns: Vec<(&'static str, Vec<GroupIds>)>,
}

/// The ids that a column has in a row group.
#[derive(Debug)]
struct GroupIds {
    filter: Sbbf,
    rows: usize,
    pages: Vec<Page>,
}

/// The rows of a page, and which ids they may have.
#[derive(Debug)]
struct Page {
    rows: Range<usize>,
    ids: PageIds,
}

#[derive(Debug)]
enum PageIds {
    Any,
    None,
    Within(Box<[u8]>, Box<[u8]>),
}

impl PageIds {
    fn may_have(&self, id: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::None => false,
            Self::Within(least, greatest) => **least <= *id && *id <= **greatest,
        }
    }
}

/// Rows of a row group that may have what is wanted: of some of its pages.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) group: usize,
    /// How many rows the group has.
    pub(super) of: usize,
    pub(super) pages: Vec<Range<usize>>,
}

impl Ids {
    /// Reads what a file tells of its ids; one that cannot be read may have any id, and says what is wrong when it is read.
    pub(super) async fn read(files: &Files, file: &PartitionedFile) -> Self {
        Self::try_read(files, file).await.unwrap_or_default()
    }

    async fn try_read(files: &Files, file: &PartitionedFile) -> DataFusionResult<Self> {
        let reader: Box<dyn AsyncFileReader> =
            files.readers().create_reader(0, file.clone(), None, &ExecutionPlanMetricsSet::new())?;
        // The index of the pages is kept with the footer: who reads the file later would read it anew each time.
        let indexed = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
        let mut builder = ParquetRecordBatchStreamBuilder::new_with_options(reader, indexed).await?;
        let mut columns = Vec::new();
        for name in files.table.ids() {
            let leaves = builder.parquet_schema().columns();
            let Some(place) = leaves.iter().position(|leaf| leaf.path().string() == *name) else { continue };
            let count = builder.metadata().num_row_groups();
            let mut groups = Vec::with_capacity(count);
            for group in 0..count {
                let Some(filter) = builder.get_row_group_column_bloom_filter(group, place).await? else { break };
                let rows = usize::try_from(builder.metadata().row_group(group).num_rows()).unwrap_or(0);
                groups.push(GroupIds { filter, rows, pages: pages(builder.metadata(), group, place, rows) });
            }
            // A group without a filter may have any id.
            if groups.len() == count {
                columns.push((*name, groups));
            }
        }
        Ok(Self { columns })
    }

    /// Which rows may have one of the ids in each of the columns; none if nothing is known of any.
    pub(super) fn rows_with(&self, wanted: &[Wanted<'_>]) -> Option<Vec<Rows>> {
        let of = |column: &str| self.columns.iter().find(|(name, _)| *name == column).map(|(_, groups)| groups);
        let known: Vec<_> = wanted.iter().filter_map(|wanted| Some((wanted, of(wanted.column)?))).collect();
        let count = known.first()?.1.len();
        let rows = (0..count).filter_map(|group| {
            let each = known.iter().map(|(wanted, groups)| groups[group].pages_with(&wanted.ids));
            let pages = each.min_by_key(|pages| pages.iter().map(Range::len).sum::<usize>())?;
            (!pages.is_empty()).then_some(Rows { group, of: known[0].1[group].rows, pages })
        });
        Some(rows.collect())
    }

    /// How many row groups the file has.
    pub(super) fn groups(&self) -> usize {
        self.columns.first().map_or(0, |(_, groups)| groups.len())
    }
}

impl Rows {
    /// The same rows in two parts, unless they are few.
    pub(super) fn halves(mut self) -> impl Iterator<Item = Self> {
        let at = if self.pages.len() > 2 { self.pages.len() / 2 } else { self.pages.len() };
        let pages = self.pages.split_off(at);
        let rest = (!pages.is_empty()).then_some(Self { pages, group: self.group, of: self.of });
        std::iter::once(self).chain(rest)
    }
}

impl GroupIds {
    /// The rows of the pages that may have one of the ids.
    fn pages_with(&self, ids: &FxHashSet<&str>) -> Vec<Range<usize>> {
        let ids: Vec<&[u8]> = ids.iter().filter(|id| self.filter.check(**id)).map(|id| id.as_bytes()).collect();
        let may_have = |page: &&Page| ids.iter().any(|id| page.ids.may_have(id));
        self.pages.iter().filter(may_have).map(|page| page.rows.clone()).collect()
    }
}

/// The pages of a column in a row group; one for all rows if the file does not tell.
fn pages(file: &ParquetMetaData, group: usize, column: usize, rows: usize) -> Vec<Page> {
    let bounds = file.column_index().and_then(|index| index.get(group)?.get(column));
    let places = file.offset_index().and_then(|index| index.get(group)?.get(column));
    let all = || vec![Page { rows: 0..rows, ids: PageIds::Any }];
    let (Some(ColumnIndexMetaData::BYTE_ARRAY(bounds)), Some(places)) = (bounds, places) else { return all() };
    let firsts = places.page_locations().iter().map(|page| usize::try_from(page.first_row_index).unwrap_or(0));
    let firsts: Vec<usize> = firsts.chain([rows]).collect();
    // What a damaged file tells is not believed; who reads it says what is wrong.
    if firsts.len() as u64 != bounds.num_pages() + 1 || firsts[0] != 0 || !firsts.is_sorted() {
        return all();
    }
    let page = |(place, ends): (usize, &[usize])| {
        let bounds = bounds.min_value(place).zip(bounds.max_value(place));
        let within = |(least, greatest): (&[u8], &[u8])| PageIds::Within(least.into(), greatest.into());
        Page { rows: ends[0]..ends[1], ids: bounds.map_or(PageIds::None, within) }
    };
    firsts.windows(2).enumerate().map(page).collect()
}

impl Files {
    /// What opens files: footers are read once.
    pub(super) fn readers(&self) -> CachedParquetFileReaderFactory {
        CachedParquetFileReaderFactory::new(self.store.clone(), self.metadata.clone())
    }
}
