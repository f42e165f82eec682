//! One journey, by its own id or that of any native trace in it.

use axum::extract::Path;
use axum::response::Response;
use clew_collect::encode::otlp_json;
use clew_model::TraceId;
use clew_store::{JourneyDetail, Store};
use serde::Serialize;

use super::asked::Asked;
use super::journeys::{in_pieces, json};
use crate::error::ApiError;
use crate::trace::journey_of_any;
use crate::view::{self, whole};
use crate::viewed::Viewed;

/// A native trace, without its spans, which are written by others.
#[derive(Serialize)]
struct Bare {
    spans: [(); 0],
}

/// The journey; with `raw=1` the bare native trace.
pub(super) async fn show(
    Viewed(app): Viewed,
    Path(id): Path<String>,
    Asked(asked): Asked,
) -> Result<Response, ApiError> {
    asked.only(&[&["raw"]])?;
    let id = trace_id(&id)?;
    if asked.switch("raw")? {
        let spans = app.store.trace(id).await?;
        if spans.is_empty() {
            return Err(ApiError::not_found(format!("no native trace {id}: it may be older than what is kept")));
        }
        return in_pieces(view::spans(spans).and_then(|spans| spans.within(&Bare { spans: [] })));
    }
    let detail = find(&*app.store, id).await?;
    let usual = app.usual().await.of(&detail.cluster, &detail.journey);
    in_pieces(view::detail(detail, usual))
}

/// The journey as OTLP/JSON, re-parented.
pub(super) async fn otlp(
    Viewed(app): Viewed,
    Path(id): Path<String>,
    Asked(asked): Asked,
) -> Result<Response, ApiError> {
    asked.only(&[])?;
    let mut detail = find(&*app.store, trace_id(&id)?).await?;
    json(&otlp_json(&whole(&mut detail)))
}

/// The journey with this id, or the one that the native trace with this id belongs to.
pub(super) async fn find(store: &dyn Store, id: TraceId) -> Result<JourneyDetail, ApiError> {
    let found = journey_of_any(store, id).await?;
    found.ok_or_else(|| ApiError::not_found(format!("no journey {id}, and no native trace of that id in one")))
}

pub(super) fn trace_id(text: &str) -> Result<TraceId, ApiError> {
    let id = TraceId::parse_lenient(text).ok().filter(|id| id.is_valid());
    id.ok_or_else(|| ApiError::bad_request(format!("{text:?} is no id: write 32 hexadecimal digits")))
}
