//! From a request to whoever makes it.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::access::Access;
use super::token;
use crate::access::{Refused, Viewer};
use crate::error::ApiError;
use crate::page;

/// Answers whoever may come in, as what they are.
pub(super) async fn admit(access: &Access, mut request: Request, next: Next) -> Response {
    if access.token.is_none() && access.users.is_none() {
        request.extensions_mut().insert(Viewer::Own);
        return next.run(request).await;
    }
    let entry = access.token.as_deref().and_then(|own| token::entry(request.uri(), own, access.tls));
    if let Some((to, cookie)) = entry {
        return welcome(&to, cookie);
    }
    // The page holds nothing of the cluster, and asks for the token itself.
    if page::is_part(request.method(), request.uri().path()) {
        return next.run(request).await;
    }
    let brought: Vec<&str> = token::brought(request.headers()).collect();
    let viewer = match viewer(access, &brought).await {
        Ok(Some(viewer)) => viewer,
        Ok(None) => return unknown(access.users.is_some()),
        Err(refused) => return refused.into_response(),
    };
    let cookie = token::to_keep(request.headers(), access.tls);
    request.extensions_mut().insert(viewer);
    let mut response = next.run(request).await;
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Who brings these tokens; none if nobody does. A user's is the first of them.
async fn viewer(access: &Access, brought: &[&str]) -> Result<Option<Viewer>, Refused> {
    let is_own = |own: &String| brought.iter().any(|brought| token::is_same(brought, own));
    if access.token.as_ref().is_some_and(is_own) {
        return Ok(Some(Viewer::Own));
    }
    let (Some(users), Some(token)) = (&access.users, brought.first()) else { return Ok(None) };
    Ok(users.admit(token).await?.map(|guest| Viewer::Guest(Arc::new(guest))))
}

/// Sends a browser on, with the token in its cookie instead of the address.
fn welcome(to: &str, cookie: HeaderValue) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    if let Ok(to) = HeaderValue::from_str(to) {
        response.headers_mut().insert(header::LOCATION, to);
    }
    response
}

fn unknown(has_users: bool) -> Response {
    let message = if has_users {
        "a token is needed: send clew's own, or yours for the cluster if it has not expired, as `Authorization: Bearer TOKEN`"
    } else {
        "a token is needed: send it as `Authorization: Bearer TOKEN`, or open the address that clew printed"
    };
    let mut response = ApiError::new(StatusCode::UNAUTHORIZED, message).into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}
