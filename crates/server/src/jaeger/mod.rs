//! Jaeger's APIs: the one that its page calls, the third version over HTTP, and the same over gRPC.

mod dependencies;
mod gateway;
mod grpc;
mod legacy;
mod names;
mod paths;
mod query;
mod traces;

pub use grpc::{JaegerService, messages};
pub(crate) use grpc::{METHODS, grpc_path};
pub(crate) use legacy::trace as legacy_trace;
pub(crate) use paths::{own_paths, paths};
