//! What other replicas ask of this one: who it is, and its log from a position on.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use clew_store::{Position, Store};
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::agreement::Agreement;
use super::pullers::Pullers;
use crate::live::audit::{Access, check};

pub(super) const HELLO: &str = "/replica/v1/hello";
pub(super) const LOG: &str = "/replica/v1/log";
/// Up to which record the answer goes, which one the log has first, and how many are behind the answer.
pub(super) const LAST: &str = "clew-last";
pub(super) const FIRST: &str = "clew-first";
pub(super) const BEHIND: &str = "clew-behind";

/// About how much one answer holds.
const PIECE: usize = 4 << 20;
/// How many may follow at once; each waits most of the time.
const MOST_AT_ONCE: usize = 8;

#[derive(Clone)]
struct Replica {
    agreement: Arc<Agreement>,
    store: Arc<dyn Store>,
    pullers: Pullers,
    room: Arc<Semaphore>,
}

#[derive(Deserialize)]
struct Asked {
    /// Whose log is meant.
    of: String,
    /// Who asks.
    me: String,
    /// All up to here is durable there.
    after: u64,
}

/// The routes below `/replica/v1`; whoever comes must be let in.
pub fn router(agreement: Agreement, store: Arc<dyn Store>, pullers: Pullers, access: Access) -> Router {
    let room = Arc::new(Semaphore::new(MOST_AT_ONCE));
    let replica = Replica { agreement: Arc::new(agreement), store, pullers, room };
    Router::new()
        .route(HELLO, get(hello))
        .route(LOG, get(log))
        .layer(from_fn_with_state(access, check))
        .with_state(replica)
}

async fn hello(State(replica): State<Replica>) -> Json<Agreement> {
    Json((*replica.agreement).clone())
}

async fn log(State(replica): State<Replica>, Query(asked): Query<Asked>) -> Response {
    if asked.of != replica.agreement.store {
        return (StatusCode::CONFLICT, "this is another store than the one that was meant\n").into_response();
    }
    let Ok(_room) = replica.room.try_acquire() else {
        return (StatusCode::TOO_MANY_REQUESTS, "too many replicas follow this one\n").into_response();
    };
    let after = Position(asked.after);
    replica.pullers.has(&asked.me, after);
    match replica.store.tail(after, PIECE).await {
        Ok(tail) => {
            let headers =
                [(LAST, tail.last.0.to_string()), (FIRST, tail.first.0.to_string()), (BEHIND, tail.behind.to_string())];
            (headers, tail.frames).into_response()
        }
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}
