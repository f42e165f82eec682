//! The query engine: `DataFusion` with our limits and the live tables.

use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::config::Dialect;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::optimizer::optimize_projections::OptimizeProjections;
use datafusion::optimizer::push_down_filter::PushDownFilter;
use datafusion::physical_optimizer::filter_pushdown::FilterPushdown;
use datafusion::prelude::{SessionConfig, SessionContext};
use deltalake_core::delta_datafusion::DeltaSessionContext;

use super::fault::query;
use super::properties::PAGE_ROWS;
use crate::Result;

/// A session with its own memory limit; what does not fit is refused rather than spilled.
pub(super) fn session(memory: usize) -> Result<SessionContext> {
    let mut config = SessionConfig::new()
        .with_information_schema(true)
        .with_target_partitions(std::thread::available_parallelism().map_or(2, |cores| cores.get().min(8)))
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

/// The same tables for plain questions, of a condition and some columns. All rules and functions of the engine would take
/// longer to plan one than a small table takes to be read. Rows come by the page, so that something is made of the first
/// while the others are read.
pub(super) fn plain(session: &SessionContext) -> SessionContext {
    let state = session.state();
    let state = SessionStateBuilder::new()
        .with_config(state.config().clone().with_batch_size(PAGE_ROWS))
        .with_runtime_env(session.runtime_env())
        .with_catalog_list(Arc::clone(state.catalog_list()))
        .with_analyzer_rules(Vec::new())
        .with_optimizer_rules(vec![Arc::new(PushDownFilter::new()), Arc::new(OptimizeProjections::new())])
        .with_physical_optimizer_rules(vec![Arc::new(FilterPushdown::new())]);
    SessionContext::new_with_state(state.build())
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
