//! Paths with their handlers, in tables: a router does not tell which paths it has, and tests must know them all.

use axum::Router;
use axum::routing::MethodRouter;

use crate::viewed::Everything;
use crate::{api, tools};

/// Paths with their handlers.
pub(crate) type Table = Vec<(&'static str, MethodRouter<Everything>)>;

/// The router of a table.
pub(crate) fn at(table: Table) -> Router<Everything> {
    table.into_iter().fold(Router::new(), |router, (path, handler)| router.route(path, handler))
}

/// Every path that is answered, with `{…}` for what varies; everything else is the page.
pub fn paths() -> Vec<String> {
    api::paths().into_iter().chain(tools::paths()).collect()
}
