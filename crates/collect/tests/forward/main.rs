//! OTLP out, to a real endpoint that refuses, hangs, vanishes and comes back.

mod cluster;
mod content;
mod faults;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../common/memory_store.rs"]
mod memory_store;
mod over_http;
mod replicas;
#[allow(dead_code, reason = "the tests of the receiver use the rest")]
#[path = "../receive/server.rs"]
mod server;
