//! Spans out of clew, in the forms that other tools read.

mod otlp;
mod protobuf;

pub use otlp::otlp_json;
pub use protobuf::{otlp_protobuf, otlp_request};
