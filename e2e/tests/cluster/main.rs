//! The cluster that all other tests of the product stand on: it comes up, works, and leaves nothing behind.
//!
//! These need root, and what `cargo xtask setup` builds; they say so when it is missing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

mod audit_sink;
mod command_line;
mod cri;
mod footprint;
mod harness;
mod killed;
mod life;
mod several;
mod simulated;
mod spans;
