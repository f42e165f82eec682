//! One request on its way to the API server.

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use http_body_util::{BodyExt, Limited};

use super::{ProxiedWrite, Way};

/// The largest body that the API server takes is smaller.
const MOST_BODY: usize = 16 << 20;
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const AUDIT_ID: HeaderName = HeaderName::from_static("audit-id");
/// What belongs to one connection, or says who asks: the client brings its own. Answers are read on the way, so unpacked.
const NOT_PASSED: [HeaderName; 6] = [
    header::ACCEPT_ENCODING,
    header::AUTHORIZATION,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::HOST,
    header::TRANSFER_ENCODING,
];

/// Passes a request on, with the command's context and, for a write, an audit id of its own.
pub(super) async fn forward(State(way): State<Way>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = match Limited::new(body, MOST_BODY).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return failed(StatusCode::PAYLOAD_TOO_LARGE, &error.to_string()),
    };
    let writes = !matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
    // Without one the API server makes its own, and the journey is found by its object.
    let audit = writes.then(|| new_audit_id().unwrap_or_default());
    let mut outgoing = http::Request::new(kube::client::Body::from(body));
    *outgoing.method_mut() = parts.method;
    *outgoing.uri_mut() =
        parts.uri.path_and_query().map(|path| path.as_str().parse()).and_then(Result::ok).unwrap_or_default();
    *outgoing.headers_mut() = headers(parts.headers, &way, audit.as_deref());
    match way.client.send(outgoing).await {
        Ok(answer) => returned(answer, audit, &way).await,
        Err(error) => failed(StatusCode::BAD_GATEWAY, &error.to_string()),
    }
}

fn headers(mut headers: HeaderMap, way: &Way, audit: Option<&str>) -> HeaderMap {
    for name in NOT_PASSED {
        headers.remove(name);
    }
    let context = format!("00-{}-{}-01", way.trace, way.span);
    if let Ok(value) = HeaderValue::from_str(&context) {
        headers.insert(TRACEPARENT, value);
    }
    if let Some(value) = audit.filter(|audit| !audit.is_empty()).and_then(|audit| HeaderValue::from_str(audit).ok()) {
        headers.insert(AUDIT_ID, value);
    }
    headers
}

/// The answer as it is; what a write made is remembered on the way.
async fn returned(answer: http::Response<kube::client::Body>, audit: Option<String>, way: &Way) -> Response {
    let (mut parts, body) = answer.into_parts();
    parts.headers.remove(header::TRANSFER_ENCODING);
    let Some(audit) = audit.filter(|_| parts.status.is_success()) else {
        // Watches and logs come as a stream, and go as one.
        return Response::from_parts(parts, Body::new(body));
    };
    let whole: Bytes = match body.collect().await {
        Ok(whole) => whole.to_bytes(),
        Err(error) => return failed(StatusCode::BAD_GATEWAY, &error.to_string()),
    };
    way.remember(ProxiedWrite::of(audit, &whole));
    Response::from_parts(parts, Body::from(whole))
}

/// An id that no other request has: the API server takes what a client sends.
fn new_audit_id() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    let hex = clew_model::TraceId::from_bytes(bytes).to_string();
    Ok(format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]))
}

fn failed(status: StatusCode, reason: &str) -> Response {
    // In Kubernetes' own form, so that kubectl prints the message.
    let message = format!("clew cannot pass the request on: {reason}");
    let body = serde_json::json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": status.as_u16(),
    });
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
