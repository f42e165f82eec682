//! Which journeys are in the lake, and in which version.

use clew_model::TraceId;
use rustc_hash::FxHashMap;

/// How many are remembered: about 32 bytes each.
pub(super) const LIMIT: usize = 500_000;

/// The digest of each journey that is in the lake; of the newest ones, if there are very many.
#[derive(Debug, Default)]
pub(super) struct Written {
    digests: FxHashMap<TraceId, u64>,
}

impl Written {
    /// The version that the lake has.
    pub(super) fn get(&self, id: TraceId) -> Option<u64> {
        self.digests.get(&id).copied()
    }

    /// The lake has this version now.
    pub(super) fn insert(&mut self, id: TraceId, digest: u64) {
        if self.digests.len() >= LIMIT {
            // Half of them, any half: one that changes after this is found twice until the next compaction.
            let mut keep = false;
            self.digests.retain(|_, _| {
                keep = !keep;
                keep
            });
        }
        self.digests.insert(id, digest);
    }

    /// The lake has it no more.
    pub(super) fn remove(&mut self, id: TraceId) {
        self.digests.remove(&id);
    }
}
