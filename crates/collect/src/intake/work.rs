//! What is durable and waits to be woven.

use bytes::Bytes;
use clew_weave::fact::Fact;
use compact_str::CompactString;

/// Something to weave.
#[derive(Debug)]
pub enum Work {
    /// An OTLP trace request in protobuf.
    Spans(Bytes),
    /// Facts of one cluster.
    Facts(CompactString, Vec<Fact>),
}

/// Facts as the log keeps them.
pub(crate) fn encode(facts: &[Fact]) -> postcard::Result<Bytes> {
    postcard::to_allocvec(facts).map(Bytes::from)
}
