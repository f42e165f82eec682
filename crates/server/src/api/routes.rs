//! Which path is answered by whom: the one table that the router and the test of the API's document share.

use std::time::Duration;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use super::{
    compare, health, heatmap, histogram, journey, journeys, metrics, objects, openapi, runs, sql, stats, status,
    stream, values,
};
use crate::error::ApiError;
use crate::routes::Table;
use crate::viewed::Everything;

/// How long an answer may take to begin.
const TIME_LIMIT: Duration = Duration::from_mins(1);
/// The one path whose caller says how long it may take.
const SQL: &str = "/api/v1/sql";
/// Nothing here reads a body.
const MAX_BODY: usize = 64 << 10;

/// Every path with its handler.
pub(super) fn table() -> Table {
    vec![
        ("/api/v1/journeys", get(journeys::list)),
        ("/api/v1/journeys/stream", get(stream::follow)),
        ("/api/v1/journeys/{id}", get(journey::show)),
        ("/api/v1/journeys/{id}/otlp", get(journey::otlp)),
        ("/api/v1/histogram", get(histogram::show)),
        ("/api/v1/objects", get(objects::history)),
        ("/api/v1/stats", get(stats::show)),
        ("/api/v1/heatmap", get(heatmap::show)),
        ("/api/v1/compare", get(compare::show)),
        ("/api/v1/runs", get(runs::list)),
        ("/api/v1/runs/{id}", get(runs::show)),
        ("/api/v1/values/{field}", get(values::list)),
        (SQL, get(sql::rows)),
        ("/api/v1/status", get(status::show)),
        ("/api/v1/openapi.json", get(openapi::show)),
        ("/healthz", get(health::live)),
        ("/readyz", get(health::ready)),
        ("/metrics", get(metrics::show)),
    ]
}

/// Every path of our own API.
pub(crate) fn paths() -> Vec<String> {
    table().into_iter().map(|(path, _)| path.to_owned()).collect()
}

/// The routes of our own API.
pub(crate) fn router() -> Router<Everything> {
    let in_time = TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, TIME_LIMIT);
    let routes = table().into_iter().fold(Router::new(), |router, (path, handler)| {
        let handler = if path == SQL { handler } else { handler.layer(in_time) };
        router.route(path, handler)
    });
    routes.method_not_allowed_fallback(not_allowed).layer(RequestBodyLimitLayer::new(MAX_BODY))
}

async fn not_allowed() -> Response {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this path cannot be asked in this way").into_response()
}
