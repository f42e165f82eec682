//! The log: what came in, durable before it is acknowledged.
//!
//! Segment files of records ([`frame`]), written by one thread that commits for all who wait ([`Log`]); files that are
//! replaced as a whole and checked when they are read ([`whole`]).

pub mod frame;
mod options;
mod segment;
pub mod whole;
mod writer;

pub use options::{Durability, LogOptions};
pub use segment::{Scan, scan};
pub(crate) use segment::{io, list, load, path};

/// Where the records of a segment begin.
pub(crate) const SEGMENT_PREFIX: u64 = segment::PREFIX as u64;
pub use writer::{Entry, Landed, Log, Sink};
