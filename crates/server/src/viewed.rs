//! What a handler gets to see: the app as whoever asks may see it.
//!
//! The router's state is [`Everything`], whose inside no handler can reach: it takes [`Viewed`] or [`Operated`] instead, so
//! that an endpoint that forgets who asks does not compile.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};

use crate::access::Viewer;
use crate::app::App;
use crate::error::ApiError;

/// The app as it is, for nobody to look into.
#[derive(Clone)]
pub(crate) struct Everything(App);

/// The app as whoever asks may see it.
pub(crate) struct Viewed(pub(crate) App);

/// The whole app, for those who may see how clew is.
pub(crate) struct Operated(pub(crate) App);

impl Everything {
    pub(crate) fn new(app: App) -> Self {
        Self(app)
    }
}

impl FromRequestParts<Everything> for Viewed {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, everything: &Everything) -> Result<Self, ApiError> {
        Ok(Self(everything.0.seen_by(viewer(parts)?)))
    }
}

impl FromRequestParts<Everything> for Operated {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, everything: &Everything) -> Result<Self, Response> {
        let may = match viewer(parts).map_err(IntoResponse::into_response)? {
            Viewer::Own => true,
            Viewer::Guest(guest) => guest.may_see_system().await.map_err(IntoResponse::into_response)?,
        };
        if may {
            return Ok(Self(everything.0.clone()));
        }
        let message = "how clew is concerns everybody: use clew's own token, or that of somebody who may get /metrics";
        Err(ApiError::new(StatusCode::FORBIDDEN, message).into_response())
    }
}

fn viewer(parts: &Parts) -> Result<Viewer, ApiError> {
    let viewer = parts.extensions.get::<Viewer>().cloned();
    viewer
        .ok_or_else(|| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "nobody asked who asks: it is a bug of clew's"))
}
