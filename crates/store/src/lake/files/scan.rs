//! The files as a table of the query engine.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::config::TableParquetOptions;
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::ParquetAccessPlan;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result as DataFusionResult;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::{ExecutionPlan, Partitioning};

use super::Files;

#[async_trait]
impl TableProvider for Files {
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
        let (found, by_ids) = self.candidates(session, filters).await?;
        let schema = self.schema();
        let all = (0..schema.fields().len()).collect();
        let wanted = projection.unwrap_or(&all);
        if found.is_empty() {
            return Ok(Arc::new(EmptyExec::new(Arc::new(schema.project(wanted)?))));
        }
        let folders = self.table.partitions().iter().map(|name| Ok(Arc::new(schema.field_with_name(name)?.clone())));
        let folders = folders.collect::<DataFusionResult<Vec<_>>>()?;
        let columns = TableSchema::builder(self.table.file_schema()).with_table_partition_cols(folders).build();
        let places = wanted.iter().map(|place| columns.table_schema().index_of(schema.field(*place).name()));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        let mut options =
            TableParquetOptions { global: session.config_options().execution.parquet.clone(), ..Default::default() };
        // What the filters of ids let through is known; they need not be read again.
        let is_known = |file: &PartitionedFile| file.extension::<ParquetAccessPlan>().is_some();
        options.global.bloom_filter_on_read &= !(by_ids && found.iter().all(is_known));
        let source = ParquetSource::new(columns)
            .with_table_parquet_options(options)
            .with_parquet_file_reader_factory(Arc::new(self.readers()));
        let groups = spread(found, session.config().target_partitions());
        // Splitting files anew would put old files before newer ones.
        let partitioning = Partitioning::UnknownPartitioning(groups.len());
        let scan = FileScanConfigBuilder::new(self.url.clone(), Arc::new(source))
            .with_file_groups(groups)
            .with_projection_indices(Some(places))?
            .with_limit(limit)
            .with_output_partitioning(Some(partitioning))
            .build();
        Ok(DataSourceExec::from_data_source(scan))
    }
}

/// The files over several partitions, each with its newest first: what is found there rules the older ones out.
fn spread(files: Vec<PartitionedFile>, partitions: usize) -> Vec<FileGroup> {
    let mut groups = vec![Vec::new(); partitions.clamp(1, files.len())];
    let count = groups.len();
    for (place, file) in files.into_iter().enumerate() {
        groups[place % count].push(file);
    }
    groups.into_iter().map(FileGroup::new).collect()
}
