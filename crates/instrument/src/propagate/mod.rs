//! How a context travels in headers: W3C by default, B3 and Jaeger by `OTEL_PROPAGATORS`.

mod b3;
mod jaeger;
mod propagators;
mod w3c;

pub use propagators::Propagators;
