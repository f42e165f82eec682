//! The layers around all routes.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use super::access::Access;
use super::admit::admit;
use super::{headers, host};
use crate::access::Viewer;
use crate::error::ApiError;

/// How long any answer may take to begin; most routes have a shorter limit of their own.
const TIME_LIMIT: Duration = Duration::from_secs(310);
/// Paths that tell how the process is: a kubelet brings neither a token nor our name.
const HEALTH: [&str; 2] = ["/healthz", "/readyz"];

/// Puts the layers around the routes.
pub(crate) fn guarded(routes: Router, access: Arc<Access>) -> Router {
    routes
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, TIME_LIMIT))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(access, let_in))
        .layer(from_fn(add_headers))
}

async fn let_in(State(access): State<Arc<Access>>, mut request: Request, next: Next) -> Response {
    if HEALTH.contains(&request.uri().path()) {
        request.extensions_mut().insert(Viewer::Own);
        return next.run(request).await;
    }
    if access.loopback && !host::is_ours(request.uri(), request.headers(), &access.hosts) {
        let message = "this host name is not one of ours: use localhost";
        return ApiError::new(StatusCode::MISDIRECTED_REQUEST, message).into_response();
    }
    admit(&access, request, next).await
}

async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in headers::ALWAYS {
        response.headers_mut().insert(name, value);
    }
    // What one may see, the next may not: nothing on the way keeps an answer, unless it says so itself.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    let message = "the server failed on this request: it is a bug of clew's; the log has more";
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
}
