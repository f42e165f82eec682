//! The OTLP source of a capture: requests as received, one OTLP/JSON request a line.

mod json;
mod keep;

pub(crate) use keep::Recorded;
