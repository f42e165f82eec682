//! OTLP: our records as the protocol's messages and back.

mod decode;
mod encode;
mod metrics;

pub(crate) use decode::read_request;
pub(crate) use encode::request;
pub(crate) use metrics::metrics_request;

/// The name of the instrumentation scope of every span.
pub(crate) const SCOPE: &str = "clew-instrument";
