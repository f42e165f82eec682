//! Which path is answered by whom.

use axum::Router;
use axum::routing::get;

use super::{gateway, legacy};
use crate::app::App;

/// The paths that only Jaeger has.
pub(crate) fn own_paths() -> Router<App> {
    Router::new()
        .route("/api/services", get(legacy::services))
        .route("/api/services/{service}/operations", get(legacy::operation_names))
        .route("/api/operations", get(legacy::operations))
        .route("/api/traces", get(legacy::search))
        .route("/api/dependencies", get(legacy::dependencies))
        .route("/api/v3/services", get(gateway::services))
        .route("/api/v3/operations", get(gateway::operations))
        .route("/api/v3/traces", get(gateway::traces).post(gateway::post_traces))
        .route("/api/v3/traces/{id}", get(gateway::trace))
        .route("/api/v3/trace-summaries", get(gateway::summaries).post(gateway::post_summaries))
        .route("/api/v3/dependencies", get(gateway::dependencies))
}

/// All paths of Jaeger.
pub(crate) fn router() -> Router<App> {
    own_paths().route("/api/traces/{id}", get(legacy::trace))
}
