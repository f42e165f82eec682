//! Scenes on a real cluster, lived through by the binary: what `clew up` shows is what `clew weave` makes of a capture.
//!
//! These need root, and what `cargo xtask setup` builds; they say so when it is missing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

mod capture;
mod clew;
mod faults;
mod front;
#[allow(dead_code, reason = "the tests of the cluster itself use the rest")]
#[path = "../cluster/harness.rs"]
mod harness;
mod inside;
mod many;
mod playing;
mod sources;
mod tee;
#[path = "../live/tls.rs"]
mod tls;
mod told;
