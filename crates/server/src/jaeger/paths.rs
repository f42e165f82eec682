//! Which path is answered by whom.

use axum::routing::get;

use super::{gateway, legacy};
use crate::routes::Table;

/// The paths that only Jaeger has.
pub(crate) fn own_paths() -> Table {
    vec![
        ("/api/services", get(legacy::services)),
        ("/api/services/{service}/operations", get(legacy::operation_names)),
        ("/api/operations", get(legacy::operations)),
        ("/api/traces", get(legacy::search)),
        ("/api/dependencies", get(legacy::dependencies)),
        ("/api/v3/services", get(gateway::services)),
        ("/api/v3/operations", get(gateway::operations)),
        ("/api/v3/traces", get(gateway::traces).post(gateway::post_traces)),
        ("/api/v3/traces/{id}", get(gateway::trace)),
        ("/api/v3/trace-summaries", get(gateway::summaries).post(gateway::post_summaries)),
        ("/api/v3/dependencies", get(gateway::dependencies)),
    ]
}

/// All paths of Jaeger.
pub(crate) fn paths() -> Table {
    let mut all = own_paths();
    all.push(("/api/traces/{id}", get(legacy::trace)));
    all
}
