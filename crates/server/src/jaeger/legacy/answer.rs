//! The envelope of every answer.

use axum::Json;
use axum::response::{IntoResponse, Response};
use clew_store::StoreError;
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
        let errors = if self.errors.is_empty() { Value::Null } else { Value::Array(self.errors) };
        envelope(&json!(self.data), self.total, &errors).into_response()
    }
}

fn envelope(data: &Value, total: usize, errors: &Value) -> Json<Value> {
    Json(json!({"data": data, "total": total, "limit": 0, "offset": 0, "errors": errors}))
}

/// What went wrong, in the envelope.
#[derive(Debug)]
pub(crate) struct Refused(Fault);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let fault = self.0;
        let errors = json!([{"code": fault.status.as_u16(), "msg": fault.message}]);
        let body = envelope(&Value::Null, 0, &errors);
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
