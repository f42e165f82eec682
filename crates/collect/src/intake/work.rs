//! What is durable and waits to be woven.

use std::time::Instant;

use bytes::Bytes;
use clew_store::Position;
use clew_weave::fact::Fact;
use compact_str::CompactString;

/// Something to weave, and its place in the log.
#[derive(Debug)]
pub struct Work {
    /// Where the log has it.
    pub position: Position,
    /// Since when it waits.
    pub since: Instant,
    /// What it is.
    pub what: What,
}

/// What there is to weave.
#[derive(Debug)]
pub enum What {
    /// An OTLP trace request in protobuf.
    Spans(Bytes),
    /// Facts of one cluster.
    Facts(CompactString, Vec<Fact>),
}

/// Facts as the log keeps them.
pub(crate) fn encode(facts: &[Fact]) -> postcard::Result<Bytes> {
    postcard::to_allocvec(facts).map(Bytes::from)
}

/// Facts as the log kept them.
pub(crate) fn decode(bytes: &[u8]) -> postcard::Result<Vec<Fact>> {
    postcard::from_bytes(bytes)
}
