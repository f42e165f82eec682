//! Everything that is served, under one router.

use std::sync::Arc;

use axum::Router;
use clew_store::Store;

/// What every handler may use.
#[derive(Clone)]
pub struct App {
    /// Where the answers come from.
    pub store: Arc<dyn Store>,
}

/// All routes.
pub fn router(app: App) -> Router {
    Router::new().with_state(app)
}
