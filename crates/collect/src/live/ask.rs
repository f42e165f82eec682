//! Small questions to the API server.

use std::time::Duration;

use http::{HeaderMap, Method, Request, header};
use http_body_util::{BodyExt, Limited};
use kube::Client;
use kube::client::Body;
use serde_json::Value;

const ANSWER_WITHIN: Duration = Duration::from_secs(5);
const JSON: &str = "application/json";
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// What came back.
pub(super) struct Answer {
    pub(super) code: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Value,
}

impl Answer {
    /// What the API server says of it, in words.
    pub(super) fn told(&self) -> String {
        let why = self.body.get("message").and_then(Value::as_str).unwrap_or_default();
        format!("the API server answered {}: {why}", self.code)
    }
}

/// Asks with GET.
pub(super) async fn get(client: &Client, path: &str) -> Result<Answer, String> {
    ask(client, Method::GET, path, JSON, None).await
}

/// Asks with POST.
pub(super) async fn post(client: &Client, path: &str, body: &Value) -> Result<Answer, String> {
    ask(client, Method::POST, path, JSON, Some(body)).await
}

/// Applies an object, as `kubectl apply --server-side --force-conflicts` does.
pub(super) async fn apply(client: &Client, path: &str, object: &Value) -> Result<Answer, String> {
    let path = format!("{path}?fieldManager=clew&force=true");
    ask(client, Method::PATCH, &path, "application/apply-patch+yaml", Some(object)).await
}

/// Changes what a merge patch names.
pub(super) async fn merge(client: &Client, path: &str, changed: &Value) -> Result<Answer, String> {
    let path = format!("{path}?fieldManager=clew");
    ask(client, Method::PATCH, &path, "application/merge-patch+json", Some(changed)).await
}

async fn ask(client: &Client, method: Method, path: &str, form: &str, body: Option<&Value>) -> Result<Answer, String> {
    let sent = body.map_or_else(Body::empty, |body| Body::from(body.to_string().into_bytes()));
    let request = Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, form);
    let request = request.body(sent).map_err(|error| error.to_string())?;
    let answer = async {
        let response = client.send(request).await.map_err(|error| causes(&error))?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_ANSWER).collect().await.map_err(|error| error.to_string())?.to_bytes();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Ok(Answer { code: head.status.as_u16(), headers: head.headers, body })
    };
    let late = || Err(format!("no answer within {} s", ANSWER_WITHIN.as_secs()));
    tokio::time::timeout(ANSWER_WITHIN, answer).await.unwrap_or_else(|_| late())
}

/// The innermost cause says most.
fn causes(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
