//! What must hold for any input: one function for each decoder of clew.
//!
//! A target takes bytes as a stranger sends them and panics if a rule of the decoder is broken. `fuzz/` runs it
//! under libFuzzer; `tests/bounded.rs` runs it as a property test on stable Rust, over random bytes and over
//! seeds that were damaged at random. To add one: write the function, add it to [`TARGETS`] with a few seeds,
//! and add its file and its `[[bin]]` to `fuzz/`; a test compares the three.

#![allow(
    clippy::missing_panics_doc,
    reason = "to panic is how a target says that a rule is broken"
)]

mod annotation;
mod time;
mod w3c;

pub use annotation::annotation;
pub use time::time;
pub use w3c::{baggage, traceparent, tracestate};

/// One decoder under test.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name, which is also that of the libFuzzer binary.
    pub name: &'static str,
    /// Panics if a rule is broken.
    pub run: fn(&[u8]),
    /// Inputs worth starting from.
    pub seeds: &'static [&'static str],
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "annotation",
        run: annotation,
        seeds: annotation::SEEDS,
    },
    Target {
        name: "baggage",
        run: baggage,
        seeds: w3c::BAGGAGE_SEEDS,
    },
    Target {
        name: "time",
        run: time,
        seeds: time::SEEDS,
    },
    Target {
        name: "traceparent",
        run: traceparent,
        seeds: w3c::TRACEPARENT_SEEDS,
    },
    Target {
        name: "tracestate",
        run: tracestate,
        seeds: w3c::TRACESTATE_SEEDS,
    },
];
