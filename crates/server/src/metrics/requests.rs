//! How many requests were answered, how, and how long that took, by route.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

/// The counts so far; routes and statuses are few, so the table is small.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Arc<Mutex<Table>>);

/// By route and status: how many, and how long altogether.
type Table = BTreeMap<(String, u16), (u64, Duration)>;

impl Requests {
    /// The counts now.
    pub(super) fn table(&self) -> Table {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, route: String, status: u16, took: Duration) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = table.entry((route, status)).or_default();
        entry.0 += 1;
        entry.1 += took;
    }
}

/// Counts a request when its answer begins.
pub(crate) async fn count_requests(State(requests): State<Requests>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let began = Instant::now();
    let response = next.run(request).await;
    requests.add(route, response.status().as_u16(), began.elapsed());
    response
}
