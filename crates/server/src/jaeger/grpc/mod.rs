//! The third version of Jaeger's API over gRPC.

pub mod messages;
mod methods;
mod route;
mod service;

pub(crate) use route::grpc_path;
pub use service::JaegerService;
pub(crate) use service::METHODS;
