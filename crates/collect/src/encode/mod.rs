//! Spans out of clew, in the forms that other tools read.

mod otlp;

pub use otlp::otlp_json;
