//! Which path is answered by whom.

use axum::Router;
use axum::routing::get;

use super::{about, metrics, query_trace, search, tag_values, tags};
use crate::app::App;

/// The paths that only Tempo has.
pub(crate) fn own_paths() -> Router<App> {
    Router::new()
        .route("/api/echo", get(about::echo))
        .route("/api/status/buildinfo", get(about::build_info))
        .route("/api/v2/traces/{id}", get(query_trace::trace_v2))
        .route("/api/search", get(search::search))
        .route("/api/search/tags", get(tags::names_v1))
        .route("/api/v2/search/tags", get(tags::names_v2))
        .route("/api/search/tag/{tag}/values", get(tag_values::values_v1))
        .route("/api/v2/search/tag/{tag}/values", get(tag_values::values_v2))
        .route("/api/metrics/query_range", get(metrics::query_range))
        .route("/api/metrics/query", get(metrics::query))
}

/// All paths of Tempo.
pub(crate) fn router() -> Router<App> {
    own_paths().route("/api/traces/{id}", get(query_trace::trace_v1))
}
