//! The OTLP receiver over real sockets: what it takes, what it refuses, and what it withstands.

mod client;
mod flood;
mod hostile;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../common/memory_store.rs"]
mod memory_store;
mod protocols;
mod refusals;
mod rotation;
mod server;
mod tls;
