//! Whether the process lives, and whether it can answer.

use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::viewed::Viewed;

/// It lives if it answers at all.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// It is ready if the pipeline and the store say so.
pub(super) async fn ready(Viewed(app): Viewed) -> Response {
    let report = (app.reporter)();
    if let Some(reason) = report.not_ready {
        return ApiError::new(http::StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {reason}")).into_response();
    }
    match app.store.health().await {
        Ok(_) => "ok\n".into_response(),
        Err(error) => {
            ApiError::new(http::StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {error}")).into_response()
        }
    }
}
