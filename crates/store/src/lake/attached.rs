//! Which journey a native trace belongs to, as far as memory knows.

use clew_model::TraceId;
use rustc_hash::FxHashMap;

/// How many attachments are remembered: 32 bytes each. Older ones are in the table of edges.
const LIMIT: usize = 500_000;

/// Which journey a native trace belongs to. When it is full it begins anew: journeys in memory say theirs again.
#[derive(Debug, Default)]
pub(super) struct Attached(FxHashMap<TraceId, TraceId>);

impl Attached {
    /// Remembers one; says whether it is new.
    pub(super) fn insert(&mut self, native: TraceId, journey: TraceId) -> bool {
        if self.0.len() >= LIMIT {
            self.0.clear();
        }
        self.0.insert(native, journey) != Some(journey)
    }

    /// The journey of a native trace.
    pub(super) fn get(&self, native: TraceId) -> Option<TraceId> {
        self.0.get(&native).copied()
    }

    /// All of them.
    pub(super) fn all(&self) -> &FxHashMap<TraceId, TraceId> {
        &self.0
    }
}
