//! The live sources and the admission webhook on a real cluster.
//!
//! These need root, and what `cargo xtask setup` builds; they say so when it is missing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

mod access;
mod audit;
mod cost;
mod definition;
mod gap;
#[allow(dead_code, reason = "the tests of the cluster itself use the rest")]
#[path = "../cluster/harness.rs"]
mod harness;
mod install;
mod journeys;
mod live;
#[allow(dead_code, reason = "the tests of the sources use the rest")]
#[path = "../../../crates/collect/tests/common/memory_store.rs"]
mod memory_store;
mod restart;
mod scale;
mod scope;
mod server;
mod tls;
mod webhook;
