//! Files of the page; every other path is the page itself, which knows what to show there.

use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::assets::{content_type, file};
use crate::error::ApiError;

/// The names of built files change with their content.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// The page itself names the files, so it must be asked for again.
const ASK_AGAIN: &str = "no-cache";

/// Shown where the page was left out of the build.
const WITHOUT_PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>clew</title>\
<h1>clew runs, without its page</h1>\
<p>This build has no page in it. Build one with:</p>\
<pre>cd ui &amp;&amp; npm ci &amp;&amp; npm run build &amp;&amp; cd .. &amp;&amp; cargo build --release --features ui</pre>\
<p>Everything else works: <a href=\"/api/v1/journeys\">the journeys</a>, <a href=\"/api/v1/status\">the status</a>, \
<a href=\"/api/v1/openapi.json\">the API</a>, and on the command line <code>clew journeys</code>.</p>";

/// The first parts of the page's own addresses: see `ui/src/app.tsx`.
const PLACES: [&str; 7] = ["", "journeys", "objects", "compare", "dashboards", "runs", "system"];

/// Whether a request is for the page or one of its files.
pub(crate) fn is_part(method: &Method, path: &str) -> bool {
    let path = path.trim_start_matches('/');
    let place = path.split('/').next().unwrap_or_default();
    matches!(*method, Method::GET | Method::HEAD) && (PLACES.contains(&place) || file(path).is_some())
}

/// Answers what no route answers.
pub(crate) async fn fallback(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path.starts_with("api/") {
        let message = format!("/{path} is no part of any API here: see /api/v1/openapi.json");
        return ApiError::not_found(message).into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "a page can only be read").into_response();
    }
    let index = file("index.html");
    match (file(path).filter(|_| path != "index.html"), index) {
        (Some(bytes), _) => {
            let caching = if path.starts_with("assets/") { FOREVER } else { ASK_AGAIN };
            answer(content_type(path), caching, bytes)
        }
        // A file that is gone must not come back as the page: a browser would take the page for a script.
        (None, _) if path.starts_with("assets/") => ApiError::not_found(format!("no file /{path}")).into_response(),
        (None, Some(index)) => answer("text/html; charset=utf-8", ASK_AGAIN, index),
        (None, None) => answer("text/html; charset=utf-8", ASK_AGAIN, WITHOUT_PAGE.as_bytes()),
    }
}

fn answer(content_type: &'static str, caching: &'static str, body: &'static [u8]) -> Response {
    ([(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, caching)], body).into_response()
}
