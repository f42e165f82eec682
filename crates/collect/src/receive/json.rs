//! OTLP/JSON into protobuf, the one form that is kept.

use bytes::Bytes;
use clew_store::{Result, StoreError};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;

/// What an object of JSON may become: a span of `{}` takes over a hundred times its text once it is parsed.
const OBJECT: usize = size_of::<opentelemetry_proto::tonic::trace::v1::Span>();

/// Bytes that a request may take while it is parsed, known before it is.
pub(super) fn cost(json: &[u8]) -> usize {
    let objects = memchr::memchr_iter(b'{', json).count();
    json.len().saturating_add(objects.saturating_mul(OBJECT))
}

/// The same request in protobuf.
pub fn to_protobuf(json: &[u8]) -> Result<Bytes> {
    let request: ExportTraceServiceRequest =
        serde_json::from_slice(json).map_err(|error| StoreError::Request(error.to_string()))?;
    Ok(request.encode_to_vec().into())
}
