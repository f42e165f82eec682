//! Which files may have the rows that are asked for.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, Int64Array};
use datafusion::catalog::Session;
use datafusion::common::pruning::PruningStatistics;
use datafusion::common::{Column, DFSchema, ScalarValue};
use datafusion::error::Result as DataFusionResult;
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::utils::conjunction;
use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;

use super::Files;
use super::data_file::{DataFile, TIME};

/// Files and what is known of them.
struct Known<'a> {
    files: &'a Files,
    of: &'a [Arc<DataFile>],
}

impl Files {
    /// The files that may have rows for which all filters hold, newest first.
    pub(super) async fn candidates(
        &self,
        session: &dyn Session,
        filters: &[Expr],
    ) -> DataFusionResult<Vec<Arc<DataFile>>> {
        let Some(filter) = conjunction(filters.iter().cloned()) else { return Ok(self.files.clone()) };
        let schema = self.table.schema();
        let filter = session.create_physical_expr(filter, &DFSchema::try_from(Arc::clone(&schema))?)?;
        let predicate = PruningPredicateBuilder::new().with_file_schema(schema).try_build(filter)?;
        let prune = |files: &[Arc<DataFile>]| -> DataFusionResult<Vec<Arc<DataFile>>> {
            let keep = predicate.prune(&Known { files: self, of: files })?;
            Ok(files.iter().zip(keep).filter_map(|(file, keep)| keep.then(|| Arc::clone(file))).collect())
        };
        let found = prune(&self.files)?;
        let by_id = predicate.literal_guarantees().iter().any(|one| self.table.ids().contains(&one.column.name()));
        let is_learned = found.iter().all(|file| file.knows_ids());
        if !by_id || is_learned {
            return Ok(found);
        }
        for file in &found {
            file.learn_ids(self).await;
        }
        prune(&found)
    }
}

impl PruningStatistics for Known<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.bounds(column, DataFile::oldest)
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.bounds(column, |file| file.oldest().map(|_| file.newest()))
    }

    fn num_containers(&self) -> usize {
        self.of.len()
    }

    fn null_counts(&self, _column: &Column) -> Option<ArrayRef> {
        None
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        None
    }

    /// Said of ids alone: `false` for a file that has none of them.
    fn contained(&self, column: &Column, values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        let name = column.name();
        if !self.files.table.ids().contains(&name) {
            return None;
        }
        let ids: Vec<&str> = values.iter().filter_map(|value| value.try_as_str().flatten()).collect();
        let may_have = |file: &Arc<DataFile>| ids.iter().any(|id| file.may_have(name, id));
        Some(self.of.iter().map(|file| if may_have(file) { None } else { Some(false) }).collect())
    }
}

impl Known<'_> {
    /// The least or the greatest value of a column in each file: of times and of what names folders.
    fn bounds(&self, column: &Column, time: impl Fn(&DataFile) -> Option<i64>) -> Option<ArrayRef> {
        if column.name() == TIME {
            return Some(Arc::new(self.of.iter().map(|file| time(file)).collect::<Int64Array>()));
        }
        let place = self.files.table.partitions().iter().position(|name| *name == column.name())?;
        ScalarValue::iter_to_array(self.of.iter().map(|file| file.file.partition_values[place].clone())).ok()
    }
}
