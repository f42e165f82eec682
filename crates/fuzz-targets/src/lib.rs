//! What must hold for any input: one function for each decoder of clew.
//!
//! A target takes bytes as a stranger sends them and panics if a rule of the decoder is broken. `fuzz/` runs it
//! under libFuzzer; `tests/bounded.rs` runs it as a property test on stable Rust, over random bytes and over
//! seeds that were damaged at random. To add one: write the function, name it in [`TARGETS`], put a few seeds into
//! `seeds/`, and add its file and its `[[bin]]` to `fuzz/`; a test compares them.

#![allow(
    clippy::missing_panics_doc,
    reason = "to panic is how a target says that a rule is broken"
)]

mod annotation;
mod lines;
mod time;
mod w3c;

pub use annotation::annotation;
pub use lines::{audit_line, otlp_line, watch_line};
pub use time::time;
pub use w3c::{baggage, traceparent, tracestate};

/// One decoder under test.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name, which is also that of the libFuzzer binary.
    pub name: &'static str,
    /// Panics if a rule is broken.
    pub run: fn(&[u8]),
    /// Inputs worth starting from, one on each line.
    pub seeds: &'static str,
}

macro_rules! target {
    ($name:ident) => {
        Target {
            name: stringify!($name),
            run: $name,
            seeds: include_str!(concat!("../seeds/", stringify!($name), ".txt")),
        }
    };
}

/// Every target.
pub const TARGETS: &[Target] = &[
    target!(annotation),
    target!(audit_line),
    target!(baggage),
    target!(otlp_line),
    target!(time),
    target!(traceparent),
    target!(tracestate),
    target!(watch_line),
];
