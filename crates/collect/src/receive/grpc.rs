//! OTLP over gRPC.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, header};
use clew_store::otlp::Counts;
use hyper::body::Incoming;
use prost::Message;
use tonic::Status;

use super::answer::{Answer, RpcStatus, response};
use super::budget::Share;
use super::encoding::Encoding;
use super::pipeline::{Arrived, take};
use super::refusal::Refusal;
use super::service::Service;
use super::{body, frame};

const EXPORT: &str = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");
const ACCEPT_ENCODING: HeaderName = HeaderName::from_static("grpc-accept-encoding");
const STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// Whether a request is a gRPC call.
pub(super) fn is_call(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    kind.starts_with(b"application/grpc")
}

/// Takes the spans of a call.
pub(super) async fn call(
    service: &Arc<Service>,
    path: &str,
    headers: &HeaderMap,
    body: Incoming,
) -> Result<Counts, Refusal> {
    service.tokens.check(headers)?;
    if path != EXPORT {
        return Err(Refusal::NotFound(path.chars().take(100).collect()));
    }
    let name = headers.get(ENCODING).map(|value| value.to_str().unwrap_or("unknown"));
    let named = Encoding::named(name)?;
    let mut share = Share::new(&service.budget);
    let framed = body::read(body, &service.limits, frame::HEAD, &mut share).await?;
    let (body, packed) = frame::unwrap(framed, service.limits.request_bytes)?;
    let encoding = if packed { named } else { Encoding::Plain };
    take(service, Arrived { body, encoding, is_json: false, share }).await
}

/// The answer to a call.
pub(super) fn answer(taken: &Result<Counts, Refusal>) -> Response<Answer> {
    let counts = match taken {
        Ok(counts) => counts,
        Err(refusal) => return refused(refusal),
    };
    let trailers = HeaderMap::from_iter([(STATUS, HeaderValue::from_static("0"))]);
    let message = frame::wrap(&response(counts).encode_to_vec());
    let mut answer = Response::new(Answer::with_trailers(message, trailers));
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    answer
}

fn refused(refusal: &Refusal) -> Response<Answer> {
    let code = refusal.codes().1;
    let message = refusal.message();
    let details = RpcStatus::new(code, message.clone(), refusal.retry_after()).encode_to_vec();
    let mut answer = Status::with_details(code, message, details.into()).into_http();
    answer.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity,gzip,zstd"));
    answer
}
