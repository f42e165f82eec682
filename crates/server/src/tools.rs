//! The APIs of other tools, side by side: each below its own name, and all at the root where they do not collide.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::HeaderMap;

use crate::app::App;
use crate::trace::Asked;
use crate::{jaeger, tempo};

/// All paths of other tools.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .nest("/tempo", tempo::router())
        .nest("/jaeger", jaeger::router())
        .merge(tempo::own_paths())
        .merge(jaeger::own_paths())
        .merge(jaeger::grpc_paths())
        .route("/api/traces/{id}", get(trace))
}

/// The one path that both have: whoever asks for protobuf is a Tempo client, everyone else gets Jaeger's JSON.
async fn trace(state: State<App>, id: Path<String>, asked: Asked, headers: HeaderMap) -> Response {
    if tempo::wants_protobuf(&headers) {
        return tempo::trace_v1(state, id, asked, headers).await.into_response();
    }
    jaeger::legacy_trace(state, id, asked).await.into_response()
}
