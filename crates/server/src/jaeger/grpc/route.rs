//! The service on the address of the page, for whoever speaks HTTP/2 there.

use axum::extract::Request;
use axum::response::Response;
use axum::routing::{MethodRouter, post};
use tonic::body::Body;
use tower::Service;

use super::service::JaegerService;
use crate::viewed::{Everything, Viewed};

/// The path of its methods.
pub(crate) fn grpc_path() -> (&'static str, MethodRouter<Everything>) {
    ("/jaeger.api_v3.QueryService/{method}", post(call))
}

async fn call(Viewed(app): Viewed, request: Request) -> Response {
    let answer = JaegerService::new(app.store).call(request.map(Body::new)).await;
    match answer {
        Ok(response) => response.map(axum::body::Body::new),
        Err(never) => match never {},
    }
}
