//! Why a request was not taken, in the words of both protocols.

use std::time::Duration;

use axum::http::StatusCode;
use clew_store::StoreError;
use tonic::Code;

/// Why a request was not taken. The order is that of the counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// No token, or a wrong one.
    Unauthenticated,
    /// Another path, or another service.
    NotFound(String),
    /// Not a POST.
    Method,
    /// Neither protobuf nor JSON.
    MediaType,
    /// Packed in a way that is not known here.
    Encoding(String),
    /// Larger than allowed, packed or unpacked.
    TooLarge(usize),
    /// No OTLP trace request.
    Malformed(String),
    /// Not here within its time.
    Slow,
    /// The connection broke before the request was here.
    Gone,
    /// Other requests take all the memory.
    Busy,
    /// The store has no room.
    Full(String, Duration),
    /// The store cannot take anything now.
    Unavailable(String),
}

/// How many kinds of refusal there are.
pub(super) const KINDS: usize = 12;

impl Refusal {
    /// The place of its counter, and the word for it.
    pub(super) fn kind(&self) -> (usize, &'static str) {
        match self {
            Self::Unauthenticated => (0, "unauthenticated"),
            Self::NotFound(_) => (1, "not_found"),
            Self::Method => (2, "method"),
            Self::MediaType => (3, "media_type"),
            Self::Encoding(_) => (4, "encoding"),
            Self::TooLarge(_) => (5, "too_large"),
            Self::Malformed(_) => (6, "malformed"),
            Self::Slow => (7, "slow"),
            Self::Gone => (8, "gone"),
            Self::Busy => (9, "busy"),
            Self::Full(..) => (10, "full"),
            Self::Unavailable(_) => (11, "unavailable"),
        }
    }

    /// HTTP's code, and gRPC's.
    pub(super) fn codes(&self) -> (StatusCode, Code) {
        match self {
            Self::Unauthenticated => (StatusCode::UNAUTHORIZED, Code::Unauthenticated),
            Self::NotFound(_) => (StatusCode::NOT_FOUND, Code::Unimplemented),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, Code::Unimplemented),
            Self::MediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, Code::InvalidArgument),
            Self::Encoding(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, Code::Unimplemented),
            // Not RESOURCE_EXHAUSTED with a time to come back: the same request never fits.
            Self::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, Code::ResourceExhausted),
            Self::Malformed(_) => (StatusCode::BAD_REQUEST, Code::InvalidArgument),
            Self::Slow | Self::Gone => (StatusCode::REQUEST_TIMEOUT, Code::DeadlineExceeded),
            Self::Busy => (StatusCode::TOO_MANY_REQUESTS, Code::ResourceExhausted),
            Self::Full(..) | Self::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable),
        }
    }

    /// When the same request may be taken; none if never, or if nobody knows.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy => Some(Duration::from_secs(1)),
            Self::Full(_, after) => Some((*after).max(Duration::from_secs(1))),
            Self::Unavailable(_) => Some(Duration::from_secs(5)),
            _ => None,
        }
    }

    /// What a person reads.
    pub(super) fn message(&self) -> String {
        match self {
            Self::Unauthenticated => "send one of the receiver's tokens: Authorization: Bearer TOKEN".to_owned(),
            Self::NotFound(path) => format!("nothing is taken at {path}: spans go to /v1/traces"),
            Self::Method => "spans are posted".to_owned(),
            Self::MediaType => "content type must be application/x-protobuf or application/json".to_owned(),
            Self::Encoding(name) => format!("content encoding {name} is not taken: use gzip or zstd"),
            Self::TooLarge(max) => format!("the request is larger than {max} bytes: send fewer spans at once"),
            Self::Malformed(reason) => reason.clone(),
            Self::Slow => "the request did not arrive in time".to_owned(),
            Self::Gone => "the connection broke before the request was here".to_owned(),
            Self::Busy => "too many requests at once: come back".to_owned(),
            Self::Full(what, _) => format!("the store is full: {what}: come back"),
            Self::Unavailable(reason) => format!("the store cannot take spans now: {reason}"),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full { what, retry_after } => Self::Full(what, retry_after),
            StoreError::Request(reason) => Self::Malformed(format!("this is no OTLP trace request: {reason}")),
            other => Self::Unavailable(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_succeed_later_says_when() {
        let full = Refusal::from(StoreError::Full { what: "the disk".into(), retry_after: Duration::from_secs(7) });
        assert_eq!(full.codes(), (StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable));
        assert_eq!(full.retry_after(), Some(Duration::from_secs(7)));
        let closed = Refusal::from(StoreError::Closed);
        assert_eq!(closed.codes().1, Code::Unavailable);
        assert!(Refusal::Busy.retry_after().is_some());
        assert_eq!(Refusal::TooLarge(1).retry_after(), None);
        let malformed = Refusal::from(StoreError::Request("it ends".into()));
        assert_eq!(malformed.codes(), (StatusCode::BAD_REQUEST, Code::InvalidArgument));
    }
}
