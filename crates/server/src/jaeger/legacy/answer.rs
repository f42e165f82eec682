//! The envelope of every answer.

use axum::Json;
use axum::response::{IntoResponse, Response};
use clew_store::StoreError;
use serde::Serialize;
use serde_json::{Value, json};

use crate::trace::Fault;

/// A good answer.
#[derive(Debug)]
pub(crate) struct Answer {
    data: Vec<Value>,
    total: usize,
    errors: Vec<Value>,
}

impl Answer {
    /// A list whose length is told.
    pub(super) fn list(data: Vec<Value>) -> Self {
        Self { total: data.len(), data, errors: Vec::new() }
    }

    /// Traces, and which of those that were asked for are missing.
    pub(super) fn traces(data: Vec<Value>, errors: Vec<Value>) -> Self {
        Self { data, total: 0, errors }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let errors = (!self.errors.is_empty()).then_some(&self.errors[..]);
        Json(Envelope { data: Some(&self.data), total: self.total, errors, ..Envelope::default() }).into_response()
    }
}

/// Written as it is, since a trace as a tree of JSON values is large enough once.
#[derive(Default, Serialize)]
struct Envelope<'a> {
    data: Option<&'a [Value]>,
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
        let body = Json(Envelope { errors: Some(&errors), ..Envelope::default() });
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
