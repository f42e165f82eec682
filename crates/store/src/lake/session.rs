//! The query engine: `DataFusion` with our limits and the live tables.

use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::config::Dialect;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use deltalake_core::delta_datafusion::DeltaSessionContext;

use super::fault::query;
use crate::Result;

/// How many cores take part in a question.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().min(8))
}

/// A session with its own memory limit; what does not fit is refused rather than spilled.
pub(super) fn session(memory: usize) -> Result<SessionContext> {
    let mut config = SessionConfig::new()
        .with_information_schema(true)
        .with_target_partitions(cores())
        .with_parquet_bloom_filter_pruning(true)
        .with_parquet_page_index_pruning(true);
    let parquet = &mut config.options_mut().execution.parquet;
    parquet.pushdown_filters = true;
    parquet.reorder_filters = true;
    parquet.schema_force_view_types = false;
    config.options_mut().sql_parser.map_string_types_to_utf8view = false;
    // The generic dialect takes `cluster` after a comma for a keyword.
    config.options_mut().sql_parser.dialect = Dialect::PostgreSQL;
    "clew".clone_into(&mut config.options_mut().catalog.default_catalog);
    "lake".clone_into(&mut config.options_mut().catalog.default_schema);
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(memory)))
        .with_disk_manager_builder(DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled))
        .build_arc()
        .map_err(|error| query(&error))?;
    let session = SessionContext::new_with_config_rt(config, runtime);
    session.register_udf(super::ask::resource_attribute());
    Ok(session)
}

/// The session in which Delta Lake writes rows anew. Side by side, files would be read into each other, and what lies
/// together would lie in pieces; texts that are said to be views would be cast by every reader.
pub(super) fn rewriting() -> Arc<dyn Session> {
    let mut state = DeltaSessionContext::new().state();
    let execution = &mut state.config_mut().options_mut().execution;
    execution.target_partitions = 1;
    execution.parquet.schema_force_view_types = false;
    Arc::new(state)
}
