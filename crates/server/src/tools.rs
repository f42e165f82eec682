//! The APIs of other tools, side by side: each below its own name, and all at the root where they do not collide.

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::HeaderMap;

use crate::routes::{Table, at};
use crate::trace::Asked;
use crate::viewed::{Everything, Viewed};
use crate::{jaeger, tempo};

/// The paths at the root.
fn at_the_root() -> Table {
    let mut table = tempo::own_paths();
    table.extend(jaeger::own_paths());
    table.extend([jaeger::grpc_path(), ("/api/traces/{id}", get(trace))]);
    table
}

/// All paths of other tools.
pub(crate) fn router() -> Router<Everything> {
    at(at_the_root()).nest("/tempo", at(tempo::paths())).nest("/jaeger", at(jaeger::paths()))
}

/// Every path of other tools, for a test that must leave out none.
pub(crate) fn paths() -> Vec<String> {
    let below =
        |name: &str, table: Table| table.into_iter().map(|(path, _)| format!("{name}{path}")).collect::<Vec<_>>();
    let mut paths =
        [below("", at_the_root()), below("/tempo", tempo::paths()), below("/jaeger", jaeger::paths())].concat();
    let (call, _) = jaeger::grpc_path();
    paths.retain(|path| path != call);
    paths.extend(jaeger::METHODS.map(|method| call.replace("{method}", method)));
    paths
}

/// The one path that both have: whoever asks for protobuf is a Tempo client, everyone else gets Jaeger's JSON.
async fn trace(state: Viewed, id: Path<String>, asked: Asked, headers: HeaderMap) -> Response {
    if tempo::wants_protobuf(&headers) {
        return tempo::trace_v1(state, id, asked, headers).await.into_response();
    }
    jaeger::legacy_trace(state, id, asked).await.into_response()
}
