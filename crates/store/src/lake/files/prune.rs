//! Which files, and which parts of them, may have the rows that are asked for.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, Int64Array};
use datafusion::catalog::Session;
use datafusion::common::pruning::PruningStatistics;
use datafusion::common::{Column, DFSchema, ScalarValue};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::error::Result as DataFusionResult;
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::utils::conjunction;
use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;
use futures_util::{StreamExt as _, stream};

use super::Files;
use super::asked::Asked;
use super::data_file::{DataFile, TIME};
use super::ids::Wanted;

/// How many files are looked into at once.
pub(super) const AT_ONCE: usize = 8;

/// Files and what is known of them.
struct Known<'a>(&'a Files);

impl Files {
    /// The files that may have rows for which all filters hold, newest first; and whether they were looked for by ids.
    pub(super) async fn candidates(
        &self,
        session: &dyn Session,
        filters: &[Expr],
    ) -> DataFusionResult<(Vec<PartitionedFile>, bool)> {
        let Some(filter) = conjunction(filters.iter().cloned()) else {
            return Ok((self.newest_first.iter().map(|file| file.file.clone()).collect(), false));
        };
        let schema = self.table.schema();
        let filter = session.create_physical_expr(filter, &DFSchema::try_from(Arc::clone(&schema))?)?;
        let predicate = PruningPredicateBuilder::new().with_file_schema(schema).try_build(filter)?;
        let keep = predicate.prune(&Known(self))?;
        let found = (0..keep.len()).filter(|place| keep[*place]);
        let wanted = Wanted::of(self.table, predicate.literal_guarantees());
        let asked = Asked::of(filters);
        if wanted.is_empty() && asked == Asked::Anything {
            return Ok((found.flat_map(|place| self.newest_first[place].whole()).collect(), false));
        }
        let mut parts = Vec::new();
        for place in found {
            parts.push(self.newest_first[place].with(&wanted, &asked, self, place < self.learned));
        }
        Ok((stream::iter(parts).buffered(AT_ONCE).concat().await, !wanted.is_empty()))
    }
}

/// Of times and of what names folders; ids are looked at by row group.
impl PruningStatistics for Known<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.bounds(column, DataFile::oldest)
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.bounds(column, |file| file.oldest().map(|_| file.newest()))
    }

    fn num_containers(&self) -> usize {
        self.0.newest_first.len()
    }

    fn null_counts(&self, _column: &Column) -> Option<ArrayRef> {
        None
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        None
    }

    fn contained(&self, _column: &Column, _values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}

impl Known<'_> {
    /// The least or the greatest value of a column in each file.
    fn bounds(&self, column: &Column, time: impl Fn(&DataFile) -> Option<i64>) -> Option<ArrayRef> {
        let files = &self.0.newest_first;
        if column.name() == TIME {
            return Some(Arc::new(files.iter().map(|file| time(file)).collect::<Int64Array>()));
        }
        let place = self.0.table.partitions().iter().position(|name| *name == column.name())?;
        ScalarValue::iter_to_array(files.iter().map(|file| file.file.partition_values[place].clone())).ok()
    }
}
