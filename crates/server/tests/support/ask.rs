//! A client without a socket.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The words of an error, which must have this status.
    pub(crate) fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()["error"].as_str().expect("an error has words").to_owned()
    }

    /// The body of a good answer.
    pub(crate) fn good(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }
}

/// Asks for a path.
pub(crate) async fn ask(router: Router, path: &str) -> Answer {
    ask_with(router, path, &[("host", "localhost")]).await
}

/// Asks for a path with headers.
pub(crate) async fn ask_with(router: Router, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    Answer { status: parts.status, headers: parts.headers, text: body_of(body).await }
}

/// A body as text.
pub(crate) async fn body_of(body: Body) -> String {
    let bytes = body.collect().await.unwrap().to_bytes();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// JSON as a snapshot shows it.
pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}
