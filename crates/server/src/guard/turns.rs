//! So many questions at once: a store that answers a few quickly answers a hundred slowly.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::ApiError;

/// How many questions are answered at once.
const AT_ONCE: usize = 16;
/// How long a question waits for its turn.
const PATIENCE: Duration = Duration::from_secs(15);
/// When to come back.
const RETRY_SECONDS: u64 = 5;

/// The turns that there are.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    room: Arc<Semaphore>,
    patience: Duration,
}

impl Default for Turns {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(AT_ONCE)), patience: PATIENCE }
    }
}

/// Lets a request wait for its turn; pages, health and metrics need none.
pub(crate) async fn take_turn(State(turns): State<Turns>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_question = ["/api/", "/jaeger", "/tempo"].iter().any(|prefix| path.starts_with(prefix));
    if !is_question {
        return next.run(request).await;
    }
    let Ok(Ok(_turn)) = timeout(turns.patience, turns.room.acquire()).await else {
        let message = "too many questions are being answered: ask again later";
        return ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(RETRY_SECONDS).into_response();
    };
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    async fn ask(router: &Router, path: &str) -> Response {
        router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn who_waits_too_long_is_told_to_come_back_and_health_never_waits() {
        let turns = Turns { room: Arc::new(Semaphore::new(1)), patience: Duration::from_millis(50) };
        let slow = || async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            "done"
        };
        let router = Router::new()
            .route("/api/slow", get(slow))
            .route("/healthz", get(|| async { "ok" }))
            .layer(from_fn_with_state(turns, take_turn));
        let first = tokio::spawn({
            let router = router.clone();
            async move { ask(&router, "/api/slow").await.status() }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let refused = ask(&router, "/api/slow").await;
        assert_eq!(
            (refused.status(), &refused.headers()["retry-after"]),
            (StatusCode::SERVICE_UNAVAILABLE, &"5".parse().unwrap())
        );
        assert_eq!(ask(&router, "/healthz").await.status(), 200);
        assert_eq!(first.await.unwrap(), 200);
        assert_eq!(ask(&router, "/api/slow").await.status(), 200);
    }
}
