//! The third version of Jaeger's API over gRPC.

pub mod messages;
mod methods;
mod service;

pub use service::JaegerService;
