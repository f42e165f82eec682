//! Two replicas of `clew up` on one real API server: killed, stopped, cut off from each other, and the same in the end.
//!
//! These need root, and what `cargo xtask setup` builds; they say so when it is missing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

#[allow(dead_code, reason = "the tests of the cluster itself use the rest")]
#[path = "../cluster/harness.rs"]
mod harness;
mod killed;
mod load;
mod pair;
mod parted;
mod replica;
mod stopped;
mod way;
