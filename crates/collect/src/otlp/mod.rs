//! The OTLP source: spans received over gRPC or HTTP, one OTLP/JSON request a line.

mod grpc;
mod http;
mod json;
mod keep;

pub(crate) use grpc::serve as serve_grpc;
pub(crate) use http::serve as serve_http;
