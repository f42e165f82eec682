//! The service on the address of the page, for whoever speaks HTTP/2 there.

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::post;
use tonic::body::Body;
use tower::Service;

use super::service::JaegerService;
use crate::app::App;

/// The path of its methods.
pub(crate) fn grpc_paths() -> Router<App> {
    Router::new().route("/jaeger.api_v3.QueryService/{method}", post(call))
}

async fn call(State(app): State<App>, request: Request) -> Response {
    let answer = JaegerService::new(app.store).call(request.map(Body::new)).await;
    match answer {
        Ok(response) => response.map(axum::body::Body::new),
        Err(never) => match never {},
    }
}
