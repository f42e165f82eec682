//! Which path is answered by whom: the one table that the router and the test of the API's document share.

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use http::StatusCode;

use super::{health, journey, journeys, sql, status, stream};
use crate::app::App;
use crate::error::ApiError;

/// Every path with its handler.
pub(super) fn table() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/api/v1/journeys", get(journeys::list)),
        ("/api/v1/journeys/stream", get(stream::follow)),
        ("/api/v1/journeys/{id}", get(journey::show)),
        ("/api/v1/journeys/{id}/otlp", get(journey::otlp)),
        ("/api/v1/sql", get(sql::rows)),
        ("/api/v1/status", get(status::show)),
        ("/healthz", get(health::live)),
        ("/readyz", get(health::ready)),
    ]
}

/// The routes of our own API.
pub(crate) fn router() -> Router<App> {
    let routes = table().into_iter().fold(Router::new(), |router, (path, handler)| router.route(path, handler));
    routes.method_not_allowed_fallback(not_allowed).route("/api/v1/{*rest}", get(unknown))
}

async fn unknown(request: Request) -> Response {
    let path = request.uri().path();
    ApiError::not_found(format!("{path} is no part of the API: see /api/v1/openapi.json")).into_response()
}

async fn not_allowed() -> Response {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this path cannot be asked in this way").into_response()
}
