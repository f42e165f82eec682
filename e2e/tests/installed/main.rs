//! clew as a user installs it: its own manifests, its own image, a pod of its own; and nothing left afterwards.
//!
//! These need root, and what `cargo xtask setup` builds; they say so when it is missing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

mod callers;
#[allow(dead_code, reason = "the tests of the cluster itself use the rest")]
#[path = "../cluster/harness.rs"]
mod harness;
mod helm;
mod installed;
mod objects;
mod pod;
mod two;
