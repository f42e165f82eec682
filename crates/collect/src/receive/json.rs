//! OTLP/JSON into protobuf, the one form that is kept.

use bytes::Bytes;
use clew_store::{Result, StoreError};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;

/// The same request in protobuf.
pub fn to_protobuf(json: &[u8]) -> Result<Bytes> {
    let request: ExportTraceServiceRequest =
        serde_json::from_slice(json).map_err(|error| StoreError::Request(error.to_string()))?;
    Ok(request.encode_to_vec().into())
}
