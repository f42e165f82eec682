//! How clew is: sources, stages, drops, store.

use axum::response::Response;
use clew_model::Time;
use clew_store::Health;
use serde::Serialize;

use super::asked::Asked;
use super::journeys::json;
use crate::app::App;
use crate::error::ApiError;
use crate::report::{Check, DropReport, SourceReport, StageReport};
use crate::viewed::Operated;

#[derive(Serialize)]
struct Status {
    version: &'static str,
    started: Time,
    sources: Vec<SourceReport>,
    stages: Vec<StageReport>,
    drops: Vec<DropReport>,
    store: Option<Health>,
    doctor: Vec<Check>,
}

/// How everything is; a store that cannot say how it is shows up among the checks.
pub(super) async fn show(Operated(app): Operated, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[])?;
    let report = (app.reporter)();
    let (mut drops, mut doctor) = (report.drops, report.doctor);
    let store = match app.store.health().await {
        Ok(health) => Some(health),
        Err(error) => {
            let fix = "run `clew store verify`".to_owned();
            doctor.push(Check { check: "store".into(), state: "failed".into(), message: error.to_string(), fix });
            None
        }
    };
    drops.extend(all_drops(&app, store.as_ref()));
    json(&Status {
        version: env!("CARGO_PKG_VERSION"),
        started: app.started,
        sources: report.sources,
        stages: report.stages,
        drops,
        store,
        doctor,
    })
}

/// What the store and the live stream dropped, beside what the pipeline reports.
pub(super) fn all_drops(app: &App, store: Option<&Health>) -> Vec<DropReport> {
    let drop = |stage: &str, reason: &str, count| DropReport { stage: stage.into(), reason: reason.into(), count };
    let live = app.live.counts();
    let own = [("slow reader", live.dropped), ("too many readers", live.refused)];
    let own = own.into_iter().filter(|(_, count)| *count > 0).map(|(reason, count)| drop("live", reason, count));
    let stored = store.into_iter().flat_map(|health| &health.drops);
    own.chain(stored.map(|(reason, count)| drop("store", reason, *count))).collect()
}
