//! The envelope of every answer.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use clew_store::StoreError;
use serde::Serialize;
use serde_json::{Value, json};

use crate::trace::Fault;

/// A good answer, as JSON: what it was made from need not outlive it.
#[derive(Debug)]
pub(crate) struct Answer(serde_json::Result<Vec<u8>>);

impl Answer {
    /// A list whose length is told.
    pub(super) fn list<T: Serialize>(data: &[T]) -> Self {
        Self::of(data, data.len(), &[])
    }

    /// Traces, and which of those that were asked for are missing.
    pub(super) fn traces<T: Serialize>(data: &[T], errors: &[Value]) -> Self {
        Self::of(data, 0, errors)
    }

    fn of<T: Serialize>(data: &[T], total: usize, errors: &[Value]) -> Self {
        let errors = (!errors.is_empty()).then_some(errors);
        Self(serde_json::to_vec(&Envelope { data: Some(data), total, limit: 0, offset: 0, errors }))
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        match self.0 {
            Ok(body) => ([(CONTENT_TYPE, "application/json")], body).into_response(),
            Err(error) => {
                let message = format!("cannot write the answer: {error}");
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                Refused(Fault { status, message, retry_after: None }).into_response()
            }
        }
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
