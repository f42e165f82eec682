//! What is durable and waits to be woven.

use std::time::Instant;

use bytes::Bytes;
use clew_store::otlp::{self, Native};
use clew_store::{Position, Record, Result, StoreError};
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
    /// The spans of a request, each cluster's by themselves.
    Spans(Vec<Native>),
    /// Facts of one cluster.
    Facts(CompactString, Vec<Fact>),
}

impl What {
    /// What there is to weave in a record of the log; none in those that are only kept.
    pub(crate) fn of(record: Record) -> Result<Option<Self>> {
        Ok(match record {
            Record::Spans(request) => Some(Self::Spans(otlp::check(&request, &otlp::Limits::default())?.native)),
            Record::Facts { cluster, facts } => Some(Self::Facts(cluster, decode(&facts)?)),
            _ => None,
        })
    }
}

/// Facts as the log keeps them.
pub(crate) fn encode(facts: &[Fact]) -> postcard::Result<Bytes> {
    postcard::to_allocvec(facts).map(Bytes::from)
}

/// Facts as the log kept them.
fn decode(bytes: &[u8]) -> Result<Vec<Fact>> {
    postcard::from_bytes(bytes).map_err(|error| StoreError::Request(format!("facts cannot be read: {error}")))
}
