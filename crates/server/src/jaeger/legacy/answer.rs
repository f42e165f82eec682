//! The envelope of every answer.

use axum::Json;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use clew_store::StoreError;
use serde::Serialize;
use serde_json::{Value, json};

use crate::pieces::Pieces;
use crate::trace::Fault;

/// A good answer.
#[derive(Debug)]
pub(crate) struct Answer(Pieces);

impl Answer {
    /// A list, and how long it is said to be.
    pub(super) fn list<T: Serialize>(data: &[T], total: usize) -> Result<Self, Refused> {
        let body = serde_json::to_vec(&Envelope { data: Some(data), total, limit: 0, offset: 0, errors: None });
        Ok(Self(Pieces(vec![body.map_err(unwritten)?.into()])))
    }

    /// Traces, each as JSON in pieces, and which of those that were asked for are missing.
    pub(super) fn traces(traces: Vec<Vec<Bytes>>, errors: &[Value]) -> Result<Self, Refused> {
        let errors = (!errors.is_empty()).then_some(errors);
        let around = Envelope::<()> { data: Some(&[]), total: 0, limit: 0, offset: 0, errors };
        let mut pieces = Vec::new();
        for (place, trace) in traces.into_iter().enumerate() {
            pieces.extend((place > 0).then_some(Bytes::from_static(b",")));
            pieces.extend(trace);
        }
        Pieces(pieces).within(&around).map(Self).map_err(unwritten)
    }
}

/// An answer that cannot be written.
pub(super) fn unwritten(error: impl std::fmt::Display) -> Refused {
    let message = format!("cannot write the answer: {error}");
    Refused(Fault { status: StatusCode::INTERNAL_SERVER_ERROR, message, retry_after: None })
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        self.0.into_response()
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
