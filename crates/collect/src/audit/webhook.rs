//! The audit webhook: the API server posts batches of events to `/audit/<cluster>`.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use super::events;
use crate::http::{MAX_BODY, at_once, plain_body};
use crate::record::Context;

/// Serves the webhook until it is aborted.
pub(crate) async fn serve(listener: TcpListener, context: Context) {
    let app = Router::new()
        .route("/audit", post(take))
        .route("/audit/{cluster}", post(take))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(context.clone());
    if let Err(error) = axum::serve(listener.tap_io(at_once), app).await {
        context.notice(format!("the webhook ended: {error}"));
    }
}

/// Takes one batch; anything but 200 makes the API server send it again.
async fn take(
    State(context): State<Context>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, (StatusCode, String)> {
    let body = plain_body(&headers, body, MAX_BODY)?;
    let lines = events::lines_of(&body).map_err(|error| {
        context.queue.count_bad(1);
        (StatusCode::BAD_REQUEST, format!("the body is no EventList at column {}\n", error.column()))
    })?;
    for line in lines {
        let Ok(line) = context.redactor.audit_event(&line) else {
            context.queue.count_bad(1);
            continue;
        };
        let sent = context.queue.send(line).await;
        sent.map_err(|stopped| (StatusCode::SERVICE_UNAVAILABLE, format!("{stopped}\n")))?;
    }
    Ok(StatusCode::OK)
}
