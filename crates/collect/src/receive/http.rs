//! OTLP over HTTP: protobuf or JSON, posted to `/v1/traces`.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use clew_store::otlp::Counts;
use hyper::body::Incoming;
use prost::Message;
use serde_json::json;

use super::answer::{Answer, RpcStatus, response};
use super::body;
use super::budget::Share;
use super::encoding::Encoding;
use super::pipeline::{Arrived, take};
use super::refusal::Refusal;
use super::service::Service;

const TRACES: &str = "/v1/traces";
const PROTOBUF: &str = "application/x-protobuf";
const JSON: &str = "application/json";

/// In which of the two forms a request is, and is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Protobuf,
    Json,
    Other,
}

impl Form {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        match kind.split(';').next().unwrap_or_default().trim() {
            PROTOBUF => Self::Protobuf,
            JSON => Self::Json,
            _ => Self::Other,
        }
    }
}

/// Takes the spans of a post.
pub(super) async fn post(
    service: &Arc<Service>,
    (method, path): (&Method, &str),
    headers: &HeaderMap,
    body: Incoming,
) -> Result<Counts, Refusal> {
    service.tokens.check(headers)?;
    if path != TRACES {
        return Err(Refusal::NotFound(path.chars().take(100).collect()));
    }
    if method != Method::POST {
        return Err(Refusal::Method);
    }
    let form = Form::of(headers);
    if form == Form::Other {
        return Err(Refusal::MediaType);
    }
    let name = headers.get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap_or("unknown"));
    let encoding = Encoding::named(name)?;
    let mut share = Share::new(&service.budget);
    let body = body::read(body, &service.limits, 0, &mut share).await?;
    take(service, Arrived { body, encoding, is_json: form == Form::Json, share }).await
}

/// The answer in the form of the question, as OTLP asks for.
pub(super) fn answer(taken: &Result<Counts, Refusal>, form: Form) -> Response<Answer> {
    let (code, body, retry_after) = match taken {
        Ok(counts) => (StatusCode::OK, success(counts, form), None),
        Err(refusal) => (refusal.codes().0, failure(refusal, form), refusal.retry_after()),
    };
    let kind = match form {
        Form::Protobuf => PROTOBUF,
        Form::Json => JSON,
        Form::Other => "text/plain; charset=utf-8",
    };
    let mut answer = Response::new(Answer::new(body));
    *answer.status_mut() = code;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Some(after) = retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(after.as_secs().max(1)));
    }
    if code == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    answer
}

fn success(counts: &Counts, form: Form) -> Vec<u8> {
    let response = response(counts);
    match (&response.partial_success, form) {
        (None, Form::Json) => b"{}".to_vec(),
        (Some(partial), Form::Json) => {
            // Protobuf's JSON has 64-bit numbers as strings.
            let rejected = partial.rejected_spans.to_string();
            let partial = json!({"rejectedSpans": rejected, "errorMessage": partial.error_message});
            json!({"partialSuccess": partial}).to_string().into_bytes()
        }
        _ => response.encode_to_vec(),
    }
}

fn failure(refusal: &Refusal, form: Form) -> Vec<u8> {
    let status = RpcStatus::new(refusal.codes().1, refusal.message(), refusal.retry_after());
    match form {
        Form::Protobuf => status.encode_to_vec(),
        Form::Json => json!({"code": status.code, "message": status.message}).to_string().into_bytes(),
        Form::Other => format!("{}\n", status.message).into_bytes(),
    }
}
