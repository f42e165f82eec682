//! The parameters of a request, for a handler.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::error::ApiError;
use crate::parameters::Parameters;

/// The parameters of the request.
pub(super) struct Asked(pub(super) Parameters);

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self(Parameters::parse(parts.uri.query().unwrap_or_default())?))
    }
}
