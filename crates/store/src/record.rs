//! What goes into a store.

use bytes::Bytes;
use clew_model::{Attributes, Status, Time, TraceId};
use clew_weave::Upserts;
use compact_str::CompactString;

use crate::columns::SpanBatch;

/// Something that a source handed in, as the log keeps it. Durable before it is acknowledged.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Record {
    /// An OTLP trace request in protobuf, as received. Its spans are found by id at once.
    Spans(Bytes),
    /// The same with its spans as columns, which whoever checked the request has made; the log gives it back as [`Self::Spans`].
    Decoded(Bytes, SpanBatch),
    /// Facts of one cluster, as the caller encodes them. The store gives them back to whoever weaves after a restart.
    Facts {
        /// Whose.
        cluster: CompactString,
        /// The encoded facts.
        facts: Bytes,
    },
    /// A traced command; its steps are spans of the trace that has the run's id.
    Run(Box<Run>),
}

/// One run of a traced command, such as `minikube start`.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The run's trace.
    pub id: TraceId,
    /// The command: `minikube start`.
    pub command: CompactString,
    /// The command's version.
    pub version: CompactString,
    /// When it began.
    pub start: Time,
    /// When it ended; none while it goes on.
    pub end: Option<Time>,
    /// How it ended.
    pub status: Status,
    /// What else is known: driver, runtime, machine, commit.
    pub attributes: Attributes,
}

/// What the weaver made of one cluster's facts: the newest version of each journey wins.
#[derive(Debug, Default)]
pub struct Woven {
    /// The cluster.
    pub cluster: CompactString,
    /// What changed.
    pub upserts: Upserts,
}

/// A place in the order in which records were appended; later is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Position(pub u64);

/// The memory of everyone who weaves, as it was when all records up to a position had been woven.
#[derive(Debug, Clone, Default)]
pub struct Checkpoint {
    /// All records up to this one are in the snapshots.
    pub position: Position,
    /// Each cluster's weaver.
    pub snapshots: Vec<(CompactString, Bytes)>,
}
