//! The APIs of other tools, side by side: each below its own name, and all at the root where they do not collide.

use axum::Router;
use axum::routing::get;

use crate::app::App;
use crate::tempo;

/// All paths of other tools.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .nest("/tempo", tempo::router())
        .merge(tempo::own_paths())
        .route("/api/traces/{id}", get(tempo::trace_v1))
}
