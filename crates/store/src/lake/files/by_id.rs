//! Rows by id, read straight from files: for one id the engine plans longer than it reads.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{RecordBatch, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::error::Result as DataFusionResult;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowPredicateFn, ArrowReaderMetadata, RowFilter, RowSelection, RowSelector};
use parquet::arrow::async_reader::ParquetRecordBatchStreamBuilder;
use parquet::file::page_index::column_index::ColumnIndexMetaData;

use super::Files;
use super::ids::{Ids, Wanted};
use super::prune::AT_ONCE;
use crate::lake::by_id::ById;
use crate::lake::properties::PAGE_ROWS;
use crate::lake::session::cores;

/// Rows of one row group that may be those that are asked for.
#[derive(Debug)]
pub(in crate::lake) struct Part {
    file: PartitionedFile,
    metadata: ArrowReaderMetadata,
    group: usize,
    /// The rows of its pages that may have an id; none if it is not known which.
    pages: Option<Vec<Range<usize>>>,
}

impl Files {
    /// Where rows that are asked for may be, newest first, in as many parts as there are cores if they are enough for that.
    pub(in crate::lake) async fn parts(&self, asked: &ById) -> DataFusionResult<Vec<Part>> {
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let wanted = [asked.wanted()];
        let of_file = |place: usize| self.parts_of(place, &wanted, asked);
        let found = (0..self.newest_first.len()).filter(|place| self.may_have(*place, asked));
        let parts: Vec<Part> = stream::iter(found.map(of_file)).buffered(AT_ONCE).try_concat().await?;
        let each = cores() / parts.len().max(1);
        Ok(if each > 1 { parts.into_iter().flat_map(|part| part.cut(each)).collect() } else { parts })
    }

    fn may_have(&self, place: usize, asked: &ById) -> bool {
        let file = &self.newest_first[place];
        let class = self.table.partitions().iter().position(|name| *name == "class");
        let class = class.and_then(|place| file.file.partition_values[place].try_as_str().flatten());
        class.is_none_or(|class| asked.is_of(class)) && asked.overlaps(file.oldest().unwrap_or(i64::MIN), file.newest())
    }

    async fn parts_of(&self, place: usize, wanted: &[Wanted<'_>], asked: &ById) -> DataFusionResult<Vec<Part>> {
        let file = &self.newest_first[place];
        let groups = if place < self.learned {
            file.learn_ids(self).await.groups_with(wanted)
        } else {
            Ids::read(self, &file.file, &[asked.column()]).await.groups_with(wanted)
        };
        if !groups.is_empty() && !groups.contains(&true) {
            return Ok(Vec::new());
        }
        let metadata = self.metadata(&file.file).await?;
        let mut parts = Vec::new();
        for group in 0..metadata.metadata().num_row_groups() {
            if groups.get(group).is_none_or(|may_have| *may_have) {
                let pages = pages(&metadata, group, asked);
                if pages.as_ref().is_none_or(|pages| !pages.is_empty()) {
                    parts.push(Part { file: file.file.clone(), metadata: metadata.clone(), group, pages });
                }
            }
        }
        Ok(parts)
    }
}

impl Part {
    /// So many parts of it, if it has as many pages.
    fn cut(self, parts: usize) -> Vec<Self> {
        let Some(pages) = &self.pages else { return vec![self] };
        let part = |pages: &[Range<usize>]| Self {
            file: self.file.clone(),
            metadata: self.metadata.clone(),
            group: self.group,
            pages: Some(pages.to_vec()),
        };
        pages.chunks(pages.len().div_ceil(parts).max(1)).map(part).collect()
    }

    /// Reads the rows that are asked for, with these columns.
    pub(in crate::lake) fn read(
        self,
        files: &Files,
        asked: &Arc<ById>,
        columns: &'static [&'static str],
    ) -> DataFusionResult<impl Stream<Item = DataFusionResult<RecordBatch>> + Send + use<>> {
        let mut builder = ParquetRecordBatchStreamBuilder::new_with_metadata(files.reader(&self.file)?, self.metadata)
            .with_row_groups(vec![self.group])
            .with_batch_size(PAGE_ROWS);
        if let Some(pages) = self.pages {
            builder = builder.with_row_selection(selection(&pages));
        }
        let leaves = builder.parquet_schema();
        let (looked_at, read) = (
            ProjectionMask::columns(leaves, asked.columns()),
            ProjectionMask::columns(leaves, columns.iter().copied()),
        );
        let condition = Arc::clone(asked);
        let condition = ArrowPredicateFn::new(looked_at, move |rows| condition.matches(&rows));
        let rows = builder.with_row_filter(RowFilter::new(vec![Box::new(condition)])).with_projection(read).build()?;
        let table = files.table.file_schema();
        Ok(rows.map(move |rows| {
            let rows = rows?;
            let columns = columns.iter().map(|name| {
                let kind = table.field_with_name(name)?.data_type();
                // Another program may have written the file anew, with other types of the same.
                Ok(match rows.column_by_name(name) {
                    Some(column) if column.data_type() == kind => (*name, Arc::clone(column)),
                    Some(column) => (*name, cast(column, kind)?),
                    None => (*name, new_null_array(kind, rows.num_rows())),
                })
            });
            Ok(RecordBatch::try_from_iter(columns.collect::<DataFusionResult<Vec<_>>>()?)?)
        }))
    }
}

fn selection(pages: &[Range<usize>]) -> RowSelection {
    let mut selectors = Vec::with_capacity(2 * pages.len());
    let mut at = 0;
    for page in pages {
        selectors.push(RowSelector::skip(page.start - at));
        selectors.push(RowSelector::select(page.len()));
        at = page.end;
    }
    selectors.into()
}

/// The rows of each page that may have an id; none if it is not known.
fn pages(metadata: &ArrowReaderMetadata, group: usize, asked: &ById) -> Option<Vec<Range<usize>>> {
    let leaves = metadata.parquet_schema().columns();
    let leaf = leaves.iter().position(|leaf| leaf.path().string() == asked.column())?;
    let metadata = metadata.metadata();
    let ColumnIndexMetaData::BYTE_ARRAY(index) = metadata.column_index()?.get(group)?.get(leaf)? else { return None };
    let starts =
        metadata.offset_index()?.get(group)?.get(leaf)?.page_locations().iter().map(|page| page.first_row_index);
    let pages = ranges(starts, metadata.row_group(group).num_rows())?;
    if u64::try_from(pages.len()) != Ok(index.num_pages()) {
        return None;
    }
    let may_have = |page: usize| Some(asked.lies_between(index.min_value(page)?, index.max_value(page)?));
    Some(
        pages.into_iter().enumerate().filter(|(page, _)| may_have(*page) == Some(true)).map(|(_, rows)| rows).collect(),
    )
}

/// The rows of each page, one after the other; none if a damaged file says that they are not.
fn ranges(starts: impl Iterator<Item = i64>, rows: i64) -> Option<Vec<Range<usize>>> {
    let bounds = starts.chain([rows]).map(usize::try_from).collect::<Result<Vec<_>, _>>().ok()?;
    bounds.is_sorted().then(|| bounds.windows(2).map(|pair| pair[0]..pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_do_not_follow_each_other_are_not_believed() {
        assert_eq!(ranges([0, 10, 20].into_iter(), 25), Some(vec![0..10, 10..20, 20..25]));
        for (starts, rows) in [([0, 20, 10], 25), ([0, 10, 30], 25), ([-1, 10, 20], 25), ([0, 10, 20], -1)] {
            assert_eq!(ranges(starts.into_iter(), rows), None, "{starts:?} of {rows}");
        }
    }

    #[test]
    fn pages_are_selected_with_what_lies_between_them_skipped() {
        let rows = selection(&[5..10, 10..15, 20..25]);
        let (skip, select) = (RowSelector::skip, RowSelector::select);
        assert_eq!(Vec::from(rows), [skip(5), select(10), skip(5), select(5)]);
    }
}
