//! The audit webhook: the API server posts batches of events to `/audit/<cluster>`, and gets its OK when they are durable.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use clew_store::StoreError;
use compact_str::CompactString;
use tokio::sync::Semaphore;

use super::access::{Access, check};
use super::events::{Batch, Events};
use crate::audit::lines_of;
use crate::http::{MAX_BODY, plain_body};
use crate::live::{Parts, SourceHandle, SourceKind};

/// Batches in memory at once; further ones wait a moment and are sent away then.
const MAX_AT_ONCE: usize = 8;
const WAIT_FOR_ROOM: Duration = Duration::from_secs(5);
/// The longest name of a cluster.
const MAX_NAME: usize = 253;

/// Who may post, and for which clusters.
#[derive(Clone)]
pub struct ReceiverSettings {
    /// Who is let in.
    pub access: Access,
    /// The clusters that may be named; any, if empty.
    pub clusters: BTreeSet<CompactString>,
    /// How many clusters may be named, if any may: each costs memory.
    pub most_clusters: usize,
    /// The largest body, before and after decompression.
    pub most_bytes: usize,
}

impl Default for ReceiverSettings {
    fn default() -> Self {
        Self { access: Access::open(), clusters: BTreeSet::new(), most_clusters: 64, most_bytes: MAX_BODY }
    }
}

#[derive(Clone)]
struct Receiver {
    parts: Parts,
    settings: Arc<ReceiverSettings>,
    events: Arc<Events>,
    room: Arc<Semaphore>,
    named: Arc<Mutex<BTreeSet<CompactString>>>,
}

/// The route `POST /audit/{cluster}`.
pub fn router(parts: Parts, settings: ReceiverSettings) -> Router {
    let access = settings.access.clone();
    let receiver = Receiver {
        events: Arc::new(Events::new(parts.redactor.clone())),
        parts,
        settings: Arc::new(settings),
        room: Arc::new(Semaphore::new(MAX_AT_ONCE)),
        named: Arc::default(),
    };
    Router::new()
        .route("/audit/{cluster}", post(take))
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(access, check))
        .with_state(receiver)
}

/// Takes one batch; anything but 200 makes the API server send it again.
async fn take(State(receiver): State<Receiver>, Path(cluster): Path<CompactString>, request: Request) -> Response {
    if !receiver.knows(&cluster) {
        let why = "this cluster is not taken: name it in clew's configuration\n";
        return (StatusCode::NOT_FOUND, why).into_response();
    }
    let source = receiver.parts.sources.of(&cluster, SourceKind::Audit, "webhook");
    match receiver.keep(&cluster, &source, request).await {
        Ok(()) => {
            source.up();
            StatusCode::OK.into_response()
        }
        Err(refusal) => {
            source.waiting(format!("a batch was refused with {}, to be sent again", refusal.status()));
            refusal
        }
    }
}

impl Receiver {
    /// A stranger must not make clew remember any number of clusters.
    fn knows(&self, cluster: &CompactString) -> bool {
        if !self.settings.clusters.is_empty() {
            return self.settings.clusters.contains(cluster);
        }
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        if named.contains(cluster) {
            return true;
        }
        let is_fit = !cluster.is_empty() && cluster.len() <= MAX_NAME && !cluster.contains(char::is_control);
        is_fit && named.len() < self.settings.most_clusters && named.insert(cluster.clone())
    }

    async fn keep(&self, cluster: &CompactString, source: &SourceHandle, request: Request) -> Result<(), Response> {
        // The body is read only when there is room for it.
        let Ok(Ok(_room)) = tokio::time::timeout(WAIT_FOR_ROOM, self.room.acquire()).await else {
            return Err(later(StatusCode::TOO_MANY_REQUESTS, 1, "too many batches at once"));
        };
        let batch = self.read(request).await.inspect_err(|_| source.dropped(1))?;
        source.dropped(batch.bad);
        let Batch { facts, keys, .. } = batch;
        let count = facts.len() as u64;
        if !facts.is_empty() {
            self.parts.intake.facts(cluster, facts).await.map_err(|error| refused(&error))?;
        }
        self.events.are_durable(keys);
        source.seen(count);
        Ok(())
    }

    async fn read(&self, request: Request) -> Result<Batch, Response> {
        let most = self.settings.most_bytes;
        let (head, body) = request.into_parts();
        let body = to_bytes(body, most).await.map_err(|_| {
            let why = format!("the body did not come, or is larger than {most} bytes\n");
            (StatusCode::PAYLOAD_TOO_LARGE, why).into_response()
        })?;
        let body = plain_body(&head.headers, body, most).map_err(IntoResponse::into_response)?;
        let lines = lines_of(&body).map_err(|error| {
            let why = format!("the body is no EventList at column {}\n", error.column());
            (StatusCode::BAD_REQUEST, why).into_response()
        })?;
        let mut batch = Batch::default();
        for line in lines {
            self.events.add(&line, &mut batch);
        }
        Ok(batch)
    }
}

fn refused(error: &StoreError) -> Response {
    match error {
        StoreError::Full { retry_after, .. } => {
            later(StatusCode::TOO_MANY_REQUESTS, retry_after.as_secs().max(1), &error.to_string())
        }
        other => later(StatusCode::SERVICE_UNAVAILABLE, 5, &other.to_string()),
    }
}

fn later(status: StatusCode, seconds: u64, why: &str) -> Response {
    let mut response = (status, format!("{why}\n")).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}
