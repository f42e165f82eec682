//! Which path is answered by whom.

use axum::routing::get;

use super::{about, metrics, query_trace, search, tag_values, tags};
use crate::routes::Table;

/// The paths that only Tempo has.
pub(crate) fn own_paths() -> Table {
    vec![
        ("/api/echo", get(about::echo)),
        ("/api/status/buildinfo", get(about::build_info)),
        ("/api/v2/traces/{id}", get(query_trace::trace_v2)),
        ("/api/search", get(search::search)),
        ("/api/search/tags", get(tags::names_v1)),
        ("/api/v2/search/tags", get(tags::names_v2)),
        ("/api/search/tag/{tag}/values", get(tag_values::values_v1)),
        ("/api/v2/search/tag/{tag}/values", get(tag_values::values_v2)),
        ("/api/metrics/query_range", get(metrics::query_range)),
        ("/api/metrics/query", get(metrics::query)),
    ]
}

/// All paths of Tempo.
pub(crate) fn paths() -> Table {
    let mut all = own_paths();
    all.push(("/api/traces/{id}", get(query_trace::trace_v1)));
    all
}
