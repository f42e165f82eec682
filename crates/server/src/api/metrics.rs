//! Metrics for Prometheus.

use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::status::all_drops;
use crate::metrics::{Seen, exposed};
use crate::viewed::Operated;

/// All numbers; without those of a store that cannot say how it is.
pub(super) async fn show(Operated(app): Operated) -> Response {
    let mut report = (app.reporter)();
    report.counters.extend(app.access.users.iter().flat_map(|users| users.counts().counters()));
    let store = app.store.health().await.ok();
    let mut drops = report.drops.clone();
    drops.extend(all_drops(&app, store.as_ref()));
    let seen = Seen {
        report: &report,
        drops: &drops,
        store: store.as_ref(),
        live: app.live.counts(),
        requests: &app.requests,
    };
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], exposed(&seen)).into_response()
}
