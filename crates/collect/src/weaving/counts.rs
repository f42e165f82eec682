//! What can be seen of the weaving from outside.

use std::sync::{Arc, Mutex, PoisonError};

use clew_weave::Stats;
use compact_str::CompactString;

/// Shared with whoever shows it.
#[derive(Debug, Clone, Default)]
pub struct WeavingCounts(Arc<Mutex<WeavingState>>);

/// How the weaving goes.
#[derive(Debug, Clone, Default)]
pub struct WeavingState {
    /// What each cluster's weaver took and holds.
    pub clusters: Vec<(CompactString, Stats)>,
    /// How long the last turn took, in seconds.
    pub turn_seconds: f64,
    /// Pieces of work that wait to be woven.
    pub waiting: usize,
    /// The longest that a piece waited before the last turn, in seconds.
    pub lag_seconds: f64,
    /// Facts that could not be woven: of one cluster too many, or unreadable.
    pub dropped: u64,
    /// Turns whose journeys the store did not take; they are given again.
    pub refused: u64,
    /// Checkpoints that failed.
    pub checkpoints_failed: u64,
}

impl WeavingCounts {
    /// How it goes now.
    pub fn state(&self) -> WeavingState {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn update(&self, change: impl FnOnce(&mut WeavingState)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
