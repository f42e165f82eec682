//! The envelope of every answer.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use clew_model::Span;
use clew_store::StoreError;
use serde::Serialize;
use serde_json::{Value, json};

use super::ui;
use crate::pieces::Pieces;
use crate::trace::Fault;

/// A good answer.
#[derive(Debug)]
pub(crate) struct Answer(Pieces);

impl Answer {
    /// A list, and how long it is said to be.
    pub(super) fn list<T: Serialize>(data: &[T], total: usize) -> Result<Self, Refused> {
        let body = serde_json::to_vec(&Envelope { data: Some(data), total, limit: 0, offset: 0, errors: None });
        Ok(Self(body.map_err(unwritten)?.into()))
    }

    /// Traces, and which of those that were asked for are missing.
    pub(super) fn traces(traces: Vec<Vec<Span>>, errors: &[Value]) -> Result<Self, Refused> {
        let errors = (!errors.is_empty()).then_some(errors);
        let around = Envelope::<()> { data: Some(&[]), total: 0, limit: 0, offset: 0, errors };
        let mut pieces = Pieces::default();
        for (place, spans) in traces.into_iter().enumerate() {
            if place > 0 {
                pieces.append(b",".to_vec().into());
            }
            pieces.append(ui::trace(spans).map_err(unwritten)?);
        }
        pieces.within(&around).map(Self).map_err(unwritten)
    }
}

/// An answer that cannot be written.
fn unwritten(error: impl std::fmt::Display) -> Refused {
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
