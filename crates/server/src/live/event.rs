//! What the live stream tells.

use std::sync::Arc;

use clew_model::TraceId;
use clew_store::Right;
use compact_str::CompactString;

/// One thing that a subscriber is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A journey that is new or changed: its row, in JSON.
    Journey(Arc<str>, Arc<About>),
    /// A journey that changed so that the filter no longer holds.
    Left(Arc<About>),
    /// A journey that turned out to be part of another.
    Retired(TraceId),
    /// The subscriber was too slow and missed something: it must ask for the list again.
    Resync,
}

/// Which journey it is, and who may be told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The journey.
    pub journey: TraceId,
    /// Its cluster.
    pub cluster: CompactString,
    /// The rights that one needs to see it.
    pub needs: Vec<Right>,
}
