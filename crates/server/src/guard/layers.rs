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
use super::{headers, host, token};
use crate::error::ApiError;
use crate::page;

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

async fn let_in(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    if HEALTH.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    if access.loopback && !host::is_ours(request.uri(), request.headers(), &access.hosts) {
        let message = "this host name is not one of ours: use localhost";
        return ApiError::new(StatusCode::MISDIRECTED_REQUEST, message).into_response();
    }
    let Some(wanted) = &access.token else { return next.run(request).await };
    if let Some((to, cookie)) = token::entry(request.uri(), wanted) {
        let headers = [(header::LOCATION, HeaderValue::from_str(&to)), (header::SET_COOKIE, Ok(cookie))];
        let mut response = StatusCode::SEE_OTHER.into_response();
        for (name, value) in headers {
            if let Ok(value) = value {
                response.headers_mut().insert(name, value);
            }
        }
        return response;
    }
    if token::is_brought(request.headers(), wanted) {
        let cookie = token::to_keep(request.headers());
        let mut response = next.run(request).await;
        if let Some(cookie) = cookie {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        return response;
    }
    // The page holds nothing of the cluster, and asks for the token itself.
    if page::is_part(request.method(), request.uri().path()) {
        return next.run(request).await;
    }
    let message = "a token is needed: send it as `Authorization: Bearer TOKEN`, or open the address that clew printed";
    let mut response = ApiError::new(StatusCode::UNAUTHORIZED, message).into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in headers::ALWAYS {
        response.headers_mut().insert(name, value);
    }
    response
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    let message = "the server failed on this request: it is a bug of clew's; the log has more";
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
}
