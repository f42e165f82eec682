//! Answers: their body, their trailers, and the errors that both protocols put into them.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::http::HeaderMap;
use bytes::Bytes;
use clew_store::otlp::Counts;
use hyper::body::{Body, Frame, SizeHint};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTracePartialSuccess, ExportTraceServiceResponse};
use prost::Message;

/// A small body, and trailers where the protocol has them.
#[derive(Debug, Default)]
pub(super) struct Answer {
    data: Option<Bytes>,
    trailers: Option<HeaderMap>,
}

impl Answer {
    pub(super) fn new(data: impl Into<Bytes>) -> Self {
        Self { data: Some(data.into()), trailers: None }
    }

    pub(super) fn with_trailers(data: Bytes, trailers: HeaderMap) -> Self {
        Self { data: Some(data), trailers: Some(trailers) }
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = self.data.take().map(Frame::data).or_else(|| self.trailers.take().map(Frame::trailers));
        Poll::Ready(frame.map(Ok))
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_none() && self.trailers.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.data.as_ref().map_or(0, Bytes::len) as u64)
    }
}

/// The answer to a request that was taken; says how many spans were not, and why.
pub(super) fn response(counts: &Counts) -> ExportTraceServiceResponse {
    let refused = i64::try_from(counts.refused()).unwrap_or(i64::MAX);
    let partial = ExportTracePartialSuccess { rejected_spans: refused, error_message: counts.describe() };
    ExportTraceServiceResponse { partial_success: (refused > 0).then_some(partial) }
}

/// `google.rpc.Status`, which OTLP answers errors with.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RpcStatus {
    #[prost(int32, tag = "1")]
    pub(super) code: i32,
    #[prost(string, tag = "2")]
    pub(super) message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

/// `google.rpc.RetryInfo`.
#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<Delay>,
}

/// `google.protobuf.Duration`.
#[derive(Clone, PartialEq, Message)]
struct Delay {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(int32, tag = "2")]
    nanos: i32,
}

impl RpcStatus {
    /// An error, with the time after which to come back where there is one.
    pub(super) fn new(code: tonic::Code, message: String, retry_after: Option<Duration>) -> Self {
        let details = retry_after.map(|after| {
            let seconds = i64::try_from(after.as_secs()).unwrap_or(i64::MAX);
            let delay = Delay { seconds, nanos: i32::try_from(after.subsec_nanos()).unwrap_or_default() };
            let info = RetryInfo { retry_delay: Some(delay) };
            Any { type_url: "type.googleapis.com/google.rpc.RetryInfo".into(), value: info.encode_to_vec() }
        });
        Self { code: code as i32, message, details: details.into_iter().collect() }
    }

    /// The time after which to come back, if it says one.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let info = self.details.iter().find(|detail| detail.type_url.ends_with("google.rpc.RetryInfo"))?;
        let delay = RetryInfo::decode(info.value.as_slice()).ok()?.retry_delay?;
        Some(Duration::new(u64::try_from(delay.seconds).ok()?, u32::try_from(delay.nanos).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_to_come_back_survives() {
        for after in [None, Some(Duration::from_millis(2500))] {
            let status = RpcStatus::new(tonic::Code::Unavailable, "full".into(), after);
            let read = RpcStatus::decode(status.encode_to_vec().as_slice()).unwrap();
            assert_eq!(read.retry_after(), after);
        }
        assert!(RpcStatus::decode(&b"\xff"[..]).is_err());
    }
}
