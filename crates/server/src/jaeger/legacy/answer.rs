//! The envelope of every answer.

use std::convert::Infallible;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use clew_store::StoreError;
use futures_util::stream;
use serde::Serialize;
use serde_json::{Value, json};

use crate::trace::Fault;

/// A good answer, as JSON in pieces: what it was made from need not outlive it.
#[derive(Debug)]
pub(crate) struct Answer(Vec<Bytes>);

impl Answer {
    /// A list, and how long it is said to be.
    pub(super) fn list<T: Serialize>(data: &[T], total: usize) -> Result<Self, Refused> {
        let body = serde_json::to_vec(&Envelope { data: Some(data), total, limit: 0, offset: 0, errors: None });
        Ok(Self(vec![body.map_err(unwritten)?.into()]))
    }

    /// Traces, each as JSON in pieces, and which of those that were asked for are missing.
    pub(super) fn traces(traces: Vec<Vec<Bytes>>, errors: &[Value]) -> Result<Self, Refused> {
        let errors = (!errors.is_empty()).then_some(errors);
        let around = Envelope::<()> { data: Some(&[]), total: 0, limit: 0, offset: 0, errors };
        let [before, after] = parted(&around, "\"data\":[").map_err(unwritten)?;
        let mut pieces = vec![before];
        for (place, trace) in traces.into_iter().enumerate() {
            pieces.extend((place > 0).then_some(Bytes::from_static(b",")));
            pieces.extend(trace);
        }
        pieces.push(after);
        Ok(Self(pieces))
    }
}

/// The JSON of something with an empty list in it, up to the list and from there on.
fn parted(around: &impl Serialize, list: &str) -> serde_json::Result<[Bytes; 2]> {
    let mut text = Bytes::from(serde_json::to_string(around)?);
    let place = text.windows(list.len()).position(|part| part == list.as_bytes());
    let before = text.split_to(place.map_or(text.len(), |place| place + list.len()));
    Ok([before, text])
}

/// An answer that cannot be written.
pub(super) fn unwritten(error: impl std::fmt::Display) -> Refused {
    let message = format!("cannot write the answer: {error}");
    Refused(Fault { status: StatusCode::INTERNAL_SERVER_ERROR, message, retry_after: None })
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let length: usize = self.0.iter().map(Bytes::len).sum();
        let pieces = stream::iter(self.0.into_iter().map(Ok::<Bytes, Infallible>));
        let headers = [(CONTENT_TYPE, "application/json".to_owned()), (CONTENT_LENGTH, length.to_string())];
        (headers, Body::from_stream(pieces)).into_response()
    }
}

#[derive(Serialize)]
struct Envelope<'a, T> {
    data: Option<&'a [T]>,
    total: usize,
    limit: usize,
    offset: usize,
    errors: Option<&'a [Value]>,
}

/// What went wrong, in the envelope.
#[derive(Debug)]
pub(crate) struct Refused(Fault);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let fault = self.0;
        let errors = [json!({"code": fault.status.as_u16(), "msg": fault.message})];
        let body = Json(Envelope::<()> { data: None, total: 0, limit: 0, offset: 0, errors: Some(&errors) });
        fault.with_retry((fault.status, body).into_response())
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self(fault)
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self(error.into())
    }
}
