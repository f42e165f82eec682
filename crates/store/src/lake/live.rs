//! A table as queries see it: what is in memory and what is in the lake, as one.

use std::sync::{Arc, Weak};

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DFSchema, DataFusionError};
use datafusion::datasource::{MemTable, TableType, provider_as_source};
use datafusion::error::Result as DataFusionResult;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, TableProviderFilterPushDown};
use datafusion::physical_expr::expressions::{CastExpr, Column};
use datafusion::physical_expr::utils::LiteralGuarantee;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use datafusion::prelude::{col, lit};
use rustc_hash::FxHashSet;

use super::files::{Files, Wanted};
use super::shared::Shared;
use super::table::Table;

/// What a scan reads: taken at one moment, so that nothing is missed or seen twice.
pub(super) struct View {
    /// What is in memory.
    pub(super) hot: Vec<RecordBatch>,
    /// What is in the lake.
    pub(super) cold: Arc<Files>,
    /// Journeys, or runs, of which memory knows better than the lake.
    pub(super) overridden: FxHashSet<String>,
}

impl View {
    /// Which rows of the lake still count: none for all.
    fn still(&self, table: Table) -> Option<Expr> {
        if self.overridden.is_empty() {
            return None;
        }
        let none_of = |column| col(column).in_list(self.overridden.iter().map(|id| lit(id.clone())).collect(), true);
        Some(match table {
            Table::Runs => none_of("run_id"),
            Table::Spans => col("class").not_eq(lit("journey")).or(none_of("journey_id")),
            Table::Journeys | Table::Edges => none_of("journey_id"),
        })
    }
}

/// A table as queries see it.
#[derive(Debug)]
pub(super) struct LiveTable {
    table: Table,
    shared: Weak<Shared>,
    with_memory: bool,
}

impl LiveTable {
    pub(super) fn new(table: Table, shared: Weak<Shared>) -> Self {
        Self { table, shared, with_memory: true }
    }

    /// Only what is in the lake.
    pub(super) fn of_the_lake(table: Table, shared: Weak<Shared>) -> Self {
        Self { table, shared, with_memory: false }
    }
}

#[async_trait]
impl TableProvider for LiveTable {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> DataFusionResult<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
        let shared =
            self.shared.upgrade().ok_or_else(|| DataFusionError::Execution("the store is closed".to_owned()))?;
        if self.table == Table::Spans && self.with_memory {
            shared.read_all().await.map_err(|error| DataFusionError::Execution(error.to_string()))?;
        }
        let view = shared.view(self.table).map_err(|error| DataFusionError::Execution(error.to_string()))?;
        let still = view.still(self.table);
        let View { hot, cold, .. } = view;
        let wanted = match projection {
            Some(columns) => Arc::new(self.schema().project(columns)?),
            None => self.schema(),
        };
        let cold = match still {
            None => cold.scan(session, projection, filters, limit).await?,
            Some(still) => {
                let mut plan = LogicalPlanBuilder::scan(self.table.name(), provider_as_source(cold), None)?;
                for filter in filters {
                    plan = plan.filter(filter.clone())?;
                }
                plan = plan.filter(still)?;
                let names = wanted.fields().iter().map(|field| datafusion::prelude::ident(field.name()));
                session.create_physical_plan(&plan.project(names)?.build()?).await?
            }
        };
        let cold = conform(cold, &wanted)?;
        let hot = self.may_match(session, hot, filters)?;
        let Some(schema) = hot.first().map(RecordBatch::schema).filter(|_| self.with_memory) else { return Ok(cold) };
        let hot = MemTable::try_new(schema, spread(hot, session.config().target_partitions()))?;
        let hot = conform(hot.scan(session, projection, &[], None).await?, &wanted)?;
        UnionExec::try_new(vec![hot, cold])
    }
}

impl LiveTable {
    /// The rows in memory without those that cannot have the ids that are asked for: what follows makes text of their
    /// resources.
    fn may_match(
        &self,
        session: &dyn Session,
        hot: Vec<RecordBatch>,
        filters: &[Expr],
    ) -> DataFusionResult<Vec<RecordBatch>> {
        let Some(filter) = conjunction(filters.iter().cloned()) else { return Ok(hot) };
        let filter = session.create_physical_expr(filter, &DFSchema::try_from(self.schema())?)?;
        let guarantees = LiteralGuarantee::analyze(&filter);
        let wanted = Wanted::of(self.table, &guarantees);
        let within = |rows| wanted.iter().try_fold(rows, |rows, wanted| wanted.within(rows));
        Ok(hot.into_iter().filter_map(within).collect())
    }
}

/// The batches over several partitions, so that all cores take part.
fn spread(batches: Vec<RecordBatch>, partitions: usize) -> Vec<Vec<RecordBatch>> {
    let mut spread = vec![Vec::new(); partitions.clamp(1, batches.len().max(1))];
    let count = spread.len();
    for (place, batch) in batches.into_iter().enumerate() {
        spread[place % count].push(batch);
    }
    spread
}

/// The plan with exactly these types: dictionaries of partitions and resources become text.
fn conform(plan: Arc<dyn ExecutionPlan>, wanted: &Schema) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
    let found = plan.schema();
    let same = |(one, other): (&Arc<_>, &Arc<_>)| {
        let (one, other): (&datafusion::arrow::datatypes::Field, &datafusion::arrow::datatypes::Field) = (one, other);
        one.data_type() == other.data_type() && one.name() == other.name()
    };
    if found.fields().len() == wanted.fields().len() && found.fields().iter().zip(wanted.fields()).all(same) {
        return Ok(plan);
    }
    let columns = wanted.fields().iter().map(|field| {
        let place = found.index_of(field.name())?;
        let column: Arc<dyn PhysicalExpr> = Arc::new(Column::new(field.name(), place));
        let kind = found.field(place).data_type();
        let cast = kind != field.data_type();
        let column = if cast { Arc::new(CastExpr::new(column, field.data_type().clone(), None)) } else { column };
        Ok((column, field.name().clone()))
    });
    let columns = columns.collect::<DataFusionResult<Vec<_>>>()?;
    Ok(Arc::new(ProjectionExec::try_new(columns, plan)?))
}
