//! What went wrong, before it is put into the words of the API that was asked.

use axum::response::{IntoResponse, Response};
use clew_store::StoreError;
use http::{HeaderValue, StatusCode, header};

use crate::traceql::TraceqlError;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The status of the answer.
    pub(crate) status: StatusCode,
    /// What failed, on what, what to do.
    pub(crate) message: String,
    /// Seconds after which to come back, if that helps.
    pub(crate) retry_after: Option<u64>,
}

impl Fault {
    /// The request is wrong.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, message: message.into(), retry_after: None }
    }

    /// What was asked for does not exist.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self { status: StatusCode::NOT_FOUND, message: message.into(), retry_after: None }
    }

    /// The answer would be too large.
    pub(crate) fn too_much(message: impl Into<String>) -> Self {
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, message: message.into(), retry_after: None }
    }

    /// Tells when to come back.
    pub(crate) fn with_retry(&self, mut response: Response) -> Response {
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        let (status, retry_after) = match &error {
            StoreError::Query(_) => (StatusCode::BAD_REQUEST, None),
            StoreError::Limit(_) => (StatusCode::UNPROCESSABLE_ENTITY, None),
            StoreError::Denied(_) => (StatusCode::FORBIDDEN, None),
            StoreError::Full { retry_after, .. } => {
                (StatusCode::SERVICE_UNAVAILABLE, Some(retry_after.as_secs().max(1)))
            }
            StoreError::Closed => (StatusCode::SERVICE_UNAVAILABLE, None),
            _ => (StatusCode::INTERNAL_SERVER_ERROR, None),
        };
        Self { status, message: error.to_string(), retry_after }
    }
}

impl From<TraceqlError> for Fault {
    fn from(error: TraceqlError) -> Self {
        Self::bad_request(error.to_string())
    }
}

/// As Tempo says it: plain text.
impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        self.with_retry((self.status, format!("{}\n", self.message)).into_response())
    }
}
