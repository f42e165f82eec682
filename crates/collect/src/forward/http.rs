//! An endpoint that speaks OTLP/HTTP with protobuf.

use std::io::Write;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1::SendRequest;
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use prost::Message;

use super::channel::Failure;
use super::settings::Endpoint;
use crate::dial::Dialer;

/// The largest answer that is read: it only says what was refused.
const MOST: usize = 1 << 20;

/// An endpoint, connected when it is needed.
pub(super) struct Http {
    endpoint: Dialer,
    headers: HeaderMap,
    gzip: bool,
    timeout: Duration,
    connection: Option<SendRequest<Body>>,
}

impl Http {
    /// Reads the settings; connects later.
    pub(super) fn new(endpoint: &Endpoint, timeout: Duration) -> Result<Self, String> {
        let dialer = Dialer::new(&endpoint.url, endpoint.authorities.as_deref())?;
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        let host = HeaderValue::from_str(dialer.authority()).map_err(|error| error.to_string())?;
        headers.insert(header::HOST, host);
        if endpoint.gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        for (name, value) in &endpoint.headers {
            let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("{name:?} is no header's name"))?;
            headers.insert(key, HeaderValue::from_str(value).map_err(|_| format!("the value of {name} is none"))?);
        }
        Ok(Self { endpoint: dialer, headers, gzip: endpoint.gzip, timeout, connection: None })
    }

    /// Sends a request, which must have ended within this time; how many of its spans were refused.
    pub(super) async fn send(&mut self, message: &ExportTraceServiceRequest, within: Duration) -> Result<u64, Failure> {
        let answer = tokio::time::timeout(self.timeout.min(within), self.post(message)).await;
        let answer = answer.unwrap_or_else(|_| Err(unavailable("it did not answer in time".to_owned())));
        if answer.is_err() {
            self.connection = None;
        }
        let partial = ExportTraceServiceResponse::decode(answer?).unwrap_or_default().partial_success;
        Ok(partial.map_or(0, |partial| u64::try_from(partial.rejected_spans).unwrap_or_default()))
    }

    async fn post(&mut self, message: &ExportTraceServiceRequest) -> Result<Bytes, Failure> {
        let mut request = Request::post(self.endpoint.path());
        if let Some(headers) = request.headers_mut() {
            headers.clone_from(&self.headers);
        }
        let body = self.pack(message.encode_to_vec()).map_err(|error| unavailable(error.to_string()))?;
        let request = request.body(Body::from(body)).map_err(|error| unavailable(error.to_string()))?;
        let mut connection = match self.connection.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => self.endpoint.connect().await.map_err(unavailable)?,
        };
        connection.ready().await.map_err(|error| unavailable(error.to_string()))?;
        let answer = connection.send_request(request).await.map_err(|error| unavailable(error.to_string()))?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, MOST).collect().await.map_err(|error| unavailable(error.to_string()))?.to_bytes();
        self.connection = Some(connection);
        if head.status.is_success() { Ok(body) } else { Err(failure(head.status, &head.headers, &body)) }
    }

    fn pack(&self, body: Vec<u8>) -> std::io::Result<Vec<u8>> {
        if !self.gzip {
            return Ok(body);
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&body)?;
        encoder.finish()
    }
}

fn unavailable(message: String) -> Failure {
    Failure { kind: "unavailable", message, retryable: true, after: None }
}

/// OTLP's rules: which statuses may be tried again.
fn failure(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Failure {
    let (kind, retryable) = match status {
        StatusCode::TOO_MANY_REQUESTS => ("resource_exhausted", true),
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
            ("unavailable", true)
        }
        StatusCode::BAD_REQUEST => ("invalid_argument", false),
        StatusCode::UNAUTHORIZED => ("unauthenticated", false),
        StatusCode::FORBIDDEN => ("permission_denied", false),
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => ("unimplemented", false),
        _ => ("other", false),
    };
    let after = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    // The body is a status in protobuf, whose message is text among few other bytes.
    let told: String =
        String::from_utf8_lossy(&body[..body.len().min(200)]).chars().filter(|c| !c.is_control()).collect();
    let message = format!("it answered {status}: {}", told.trim());
    Failure { kind, message, retryable, after: after.map(Duration::from_secs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_tried_again_is_what_otlp_says() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("7"));
        let busy = failure(StatusCode::TOO_MANY_REQUESTS, &headers, b"later");
        assert!(busy.retryable && busy.message.ends_with("429 Too Many Requests: later"), "{busy:?}");
        assert_eq!(busy.after, Some(Duration::from_secs(7)));
        for status in [502, 503, 504] {
            assert!(failure(StatusCode::from_u16(status).unwrap(), &HeaderMap::new(), b"").retryable);
        }
        for status in [400, 401, 403, 404, 413, 500] {
            assert!(!failure(StatusCode::from_u16(status).unwrap(), &HeaderMap::new(), b"").retryable);
        }
    }
}
