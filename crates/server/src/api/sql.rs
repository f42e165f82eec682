//! SQL over the store's tables; the answer is an Arrow stream, which keeps the types.

use std::time::Duration;

use arrow_ipc::writer::StreamWriter;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use clew_store::{Batches, SqlLimits};

use super::asked::Asked;
use crate::error::ApiError;
use crate::viewed::Viewed;

/// How many rows may be asked for.
const MAX_ROWS: usize = 1_000_000;
/// How long a query may take, in seconds.
const MAX_SECONDS: usize = 300;

/// The rows of one query.
pub(super) async fn rows(Viewed(app): Viewed, Asked(asked): Asked) -> Result<Response, ApiError> {
    asked.only(&[&["query", "limit", "timeout"]])?;
    let query = asked.one("query")?.ok_or_else(|| ApiError::bad_request("query is missing: say what to select"))?;
    let seconds = asked.number("timeout", 30, MAX_SECONDS)?;
    let limits = SqlLimits {
        rows: asked.number("limit", SqlLimits::default().rows, MAX_ROWS)?,
        time: Duration::from_secs(seconds as u64),
    };
    let body = encode(&app.store.sql(query, limits).await?)
        .map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("cannot write the rows: {error}")))?;
    Ok(([(header::CONTENT_TYPE, "application/vnd.apache.arrow.stream")], body).into_response())
}

fn encode(batches: &Batches) -> Result<Vec<u8>, arrow_schema::ArrowError> {
    let Some(first) = batches.first() else { return Ok(Vec::new()) };
    let mut writer = StreamWriter::try_new(Vec::new(), &first.schema())?;
    batches.iter().try_for_each(|batch| writer.write(batch))?;
    writer.into_inner()
}
