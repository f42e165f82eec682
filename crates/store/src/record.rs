//! What goes into a store.

use bytes::Bytes;
use clew_model::{Attributes, Status, Time, TraceId};
use clew_weave::Upserts;
use compact_str::CompactString;

/// Something that a source handed in, as the log keeps it. Durable before it is acknowledged.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Record {
    /// An OTLP trace request in protobuf, as received. Its spans are found by id at once.
    Spans(Bytes),
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

/// What whoever weaves needs after a restart: one for each cluster.
#[derive(Debug, Default, Clone)]
pub struct Resume {
    /// The cluster.
    pub cluster: CompactString,
    /// The last snapshot of the weaver, if there is one.
    pub snapshot: Option<Bytes>,
    /// What was appended after it, in its order.
    pub facts: Vec<Bytes>,
}
