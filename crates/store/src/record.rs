//! What goes into a store.

use bytes::Bytes;
use clew_model::{Attributes, Status, Time, TraceId};
use clew_weave::Upserts;
use compact_str::CompactString;

use crate::otlp::Unread;

/// Something that a source handed in, as the log keeps it. Durable before it is acknowledged.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Record {
    /// An OTLP trace request in protobuf, as received. Its spans are found by id at once.
    Spans(Bytes),
    /// The same, checked; the log gives it back as [`Self::Spans`].
    Checked(Unread),
    /// Facts of one cluster, as the caller encodes them. The store gives them back to whoever weaves after a restart.
    Facts {
        /// Whose.
        cluster: CompactString,
        /// The encoded facts.
        facts: Bytes,
    },
    /// A traced command; its steps are spans of the trace that has the run's id.
    Run(Box<Run>),
    /// What an endpoint took of what was forwarded, as the forwarder encodes it: for the other replicas.
    Delivered(Bytes),
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

/// A piece of a store's log, for another replica: only what the store took itself, so that nothing goes in circles.
#[derive(Debug, Clone, Default)]
pub struct Tail {
    /// The records, as the log has them.
    pub frames: Bytes,
    /// All up to here was looked at: where to go on.
    pub last: Position,
    /// The first record that the log still has.
    pub first: Position,
    /// How many records are behind this piece.
    pub behind: u64,
}

/// What became of a piece of another replica's log.
#[derive(Debug, Default)]
pub struct TakenOver {
    /// The place of the last record in this log.
    pub position: Position,
    /// What is durable here now, and what is only to be known.
    pub records: Vec<Record>,
    /// Records that could not be read.
    pub unreadable: u64,
}

/// The memory of everyone who weaves, as it was when all records up to a position had been woven.
#[derive(Debug, Clone, Default)]
pub struct Checkpoint {
    /// All records up to this one are in the snapshots.
    pub position: Position,
    /// Each cluster's weaver.
    pub snapshots: Vec<(CompactString, Bytes)>,
}
