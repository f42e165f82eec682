//! An OTLP sink: a real gRPC server on loopback that keeps what it is sent.

mod kept;
mod service;
mod sink;

pub use kept::Received;
pub use sink::Sink;
