//! Errors as every API of ours gives them: `{"error": "what failed, on what, what to do"}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use clew_store::StoreError;
use http::{HeaderValue, StatusCode, header};

use crate::parameters::BadParameter;

/// An answer that is an error.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    message: String,
    retry_after: Option<u64>,
}

impl ApiError {
    /// An error with a status and a message that says what to do.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), retry_after: None }
    }

    /// The same, with the number of seconds after which to ask again.
    pub fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// The request is wrong; the message says what in it, and what would be right.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// What was asked for does not exist.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }
}

impl From<BadParameter> for ApiError {
    fn from(error: BadParameter) -> Self {
        Self::bad_request(error.to_string())
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::Query(_) => StatusCode::BAD_REQUEST,
            StoreError::Limit(_) => StatusCode::UNPROCESSABLE_ENTITY,
            StoreError::Denied(_) => StatusCode::FORBIDDEN,
            StoreError::Full { .. } | StoreError::Closed => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let retry_after = match &error {
            StoreError::Full { retry_after, .. } => Some(retry_after.as_secs().max(1)),
            _ => None,
        };
        Self { status, message: error.to_string(), retry_after }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Json(serde_json::json!({ "error": self.message }));
        let mut response = (self.status, body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
