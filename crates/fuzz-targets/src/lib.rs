//! What must hold for any input: one function for each decoder of clew.
//!
//! A target takes bytes as a stranger sends them and panics if a rule of the decoder is broken. `fuzz/` runs it
//! under libFuzzer; `tests/bounded.rs` runs it as a property test on stable Rust, over random bytes and over
//! seeds that were damaged at random. To add one: write the function, name it in [`TARGETS`], put a few seeds into
//! `seeds/`, and add its file and its `[[bin]]` to `fuzz/`; a test compares them.

#![allow(clippy::missing_panics_doc, reason = "to panic is how a target says that a rule is broken")]

mod annotation;
mod lines;
mod otlp;
mod segment;
mod sequence;
mod target;
mod time;
mod traceql;
mod w3c;

pub use annotation::annotation;
pub use lines::{audit_line, otlp_line, watch_line};
pub use otlp::{otlp_json, otlp_protobuf};
pub use segment::segment;
pub use sequence::weave_sequence;
pub use target::{TARGETS, Target};
pub use time::time;
pub use traceql::traceql;
pub use w3c::{baggage, traceparent, tracestate};
