//! What the live stream tells.

use std::sync::Arc;

use clew_model::TraceId;

/// One thing that a subscriber is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A journey that is new or changed: its row, in JSON.
    Journey(Arc<str>),
    /// A journey that changed so that the filter no longer holds.
    Left(TraceId),
    /// A journey that turned out to be part of another.
    Retired(TraceId),
    /// The subscriber was too slow and missed something: it must ask for the list again.
    Resync,
}
