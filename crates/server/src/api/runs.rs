//! Runs of traced commands.

use axum::extract::Path;
use axum::response::Response;
use clew_model::{Span, Time, TraceId};
use clew_store::{Run, RunQuery, Store, TimeRange};
use serde::Serialize;

use super::asked::Asked;
use super::journey::trace_id;
use super::journeys::{in_pieces, json};
use crate::clock::{millis, now};
use crate::error::ApiError;
use crate::parameters::moment;
use crate::view::{self, Plain, StatusView};
use crate::viewed::Viewed;

const RUNS: usize = 50;
const MAX_RUNS: usize = 1000;
/// How many runs are looked through for one whose steps are not there yet.
const LOOKED_THROUGH: usize = 10_000;
const SECOND: i64 = 1_000_000_000;

#[derive(Serialize)]
struct List<'a> {
    runs: Vec<RunView<'a>>,
}

/// A run, without its spans, which are written by others.
#[derive(Serialize)]
struct One<'a> {
    spans: [(); 0],
    run: RunView<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunView<'a> {
    id: TraceId,
    command: &'a str,
    version: &'a str,
    start: Time,
    end: Option<Time>,
    duration_ms: Option<f64>,
    status: StatusView<'a>,
    attributes: Plain<'a>,
}

/// Runs, newest first.
pub(super) async fn list(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[&["command", "version", "since", "until", "limit"]])?;
    let now = now();
    let read = |name: &str| asked.one(name)?.map(|text| moment(name, text, now)).transpose();
    let query = RunQuery {
        range: TimeRange { from: read("since")?, to: read("until")? },
        command: asked.one("command")?.map(Into::into),
        version: asked.one("version")?.map(Into::into),
        limit: asked.number("limit", RUNS, MAX_RUNS)?,
    };
    let runs = app.store.runs(&query).await?;
    json(&List { runs: runs.iter().map(shown).collect() })
}

/// One run with its steps.
pub(super) async fn show(
    Viewed(app): Viewed,
    Path(id): Path<String>,
    Asked(asked): Asked,
) -> Result<Response, ApiError> {
    asked.only(&[])?;
    let id = trace_id(&id)?;
    let spans = app.store.trace(id).await?;
    let run = find(&*app.store, id, &spans).await?;
    let run = run.ok_or_else(|| ApiError::not_found(format!("no run {id}: it may be older than what is kept")))?;
    in_pieces(view::spans(spans).and_then(|spans| spans.within(&One { spans: [], run: shown(&run) })))
}

/// A run begins with its first step, so its steps say where to look.
async fn find(store: &dyn Store, id: TraceId, spans: &[Span]) -> clew_store::Result<Option<Run>> {
    let start = spans.iter().map(|span| span.start).min();
    let range = TimeRange {
        from: start.map(|start| start.saturating_sub(SECOND)),
        to: start.map(|start| start.saturating_add(SECOND)),
    };
    let near = RunQuery { range, limit: LOOKED_THROUGH, ..RunQuery::default() };
    let found = store.runs(&near).await?.into_iter().find(|run| run.id == id);
    if found.is_some() || start.is_none() {
        return Ok(found);
    }
    let all = RunQuery { limit: LOOKED_THROUGH, ..RunQuery::default() };
    Ok(store.runs(&all).await?.into_iter().find(|run| run.id == id))
}

fn shown(run: &Run) -> RunView<'_> {
    RunView {
        id: run.id,
        command: &run.command,
        version: &run.version,
        start: run.start,
        end: run.end,
        duration_ms: run.end.map(|end| millis(end.since(run.start).max(0))),
        status: StatusView::of(&run.status),
        attributes: Plain(&run.attributes),
    }
}
