//! Metrics for Prometheus.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::status::all_drops;
use crate::app::App;
use crate::metrics::{Seen, exposed};

/// All numbers; without those of a store that cannot say how it is.
pub(super) async fn show(State(app): State<App>) -> Response {
    let report = (app.reporter)();
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
