//! The list of journeys.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use clew_store::JourneyQuery;
use clew_weave::Journey;
use serde::Serialize;

use super::asked::Asked;
use crate::clock;
use crate::error::ApiError;
use crate::parameters::{FILTERS, Selection, read_cursor, write_cursor};
use crate::pieces::Pieces;
use crate::view::Row;
use crate::viewed::Viewed;

/// How many rows a page has if nobody says.
const PAGE: usize = 50;
/// How many rows a page may have.
const MAX_PAGE: usize = 1000;

#[derive(Serialize)]
struct List<'a> {
    journeys: Vec<Row<'a>>,
    next: Option<String>,
}

/// The same in the form of `clew weave`, with every write and object.
#[derive(Serialize)]
struct Whole<'a> {
    journeys: Vec<&'a Journey>,
    next: Option<String>,
}

/// One page of journeys, newest first.
pub(super) async fn list(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[FILTERS, &["limit", "cursor", "form"]])?;
    let whole = match asked.one("form")? {
        None | Some("row") => false,
        Some("weave") => true,
        Some(other) => {
            return Err(ApiError::bad_request(format!("form: `{other}` is neither row nor weave")));
        }
    };
    let selection = Selection::read(&asked, clock::now())?;
    let query = JourneyQuery {
        range: selection.range,
        filter: selection.filter,
        after: asked.one("cursor")?.map(read_cursor).transpose()?,
        limit: asked.number("limit", PAGE, MAX_PAGE)?,
    };
    let page = app.store.journeys(&query).await?;
    let next = page.next.map(write_cursor);
    if whole {
        return json(&Whole { journeys: page.items.iter().map(|row| &row.journey).collect(), next });
    }
    let usual = app.usual().await;
    let rows = page.items.iter().map(|row| Row::new(row, usual.of(&row.cluster, &row.journey)));
    json(&List { journeys: rows.collect(), next })
}

/// An answer in JSON, from what may borrow.
pub(super) fn json(answer: &impl Serialize) -> Result<Response, ApiError> {
    let body = serde_json::to_vec(answer).map_err(unwritten)?;
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, body).into_response())
}

/// An answer in JSON that was written in pieces.
pub(super) fn in_pieces(written: serde_json::Result<Pieces>) -> Result<Response, ApiError> {
    let pieces = written.map_err(unwritten)?;
    Ok(([(header::CACHE_CONTROL, "no-store")], pieces).into_response())
}

#[expect(clippy::needless_pass_by_value, reason = "what errors are mapped with takes them")]
fn unwritten(error: serde_json::Error) -> ApiError {
    ApiError::new(http::StatusCode::INTERNAL_SERVER_ERROR, format!("cannot write the answer: {error}"))
}
