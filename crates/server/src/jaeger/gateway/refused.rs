//! What went wrong, as the gateway says it.

use axum::Json;
use axum::response::{IntoResponse, Response};
use clew_store::StoreError;
use serde_json::json;

use crate::trace::Fault;

/// What went wrong.
#[derive(Debug)]
pub(crate) struct Refused(Fault);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let fault = self.0;
        let body = json!({"error": {"httpCode": fault.status.as_u16(), "message": fault.message}});
        fault.with_retry((fault.status, Json(body)).into_response())
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
