//! The numbers of one moment.

use super::durations::ByOutcome;
use crate::export::Target;
use crate::pipeline::{Ledger, Origin, Queue};
use std::time::SystemTime;

/// The numbers of one moment; they add up.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// Where the ended spans are.
    pub ledger: Ledger,
    /// Sampled spans that have begun and not ended.
    pub live: u64,
    /// Sampled spans that have begun.
    pub started: u64,
    /// How many spans may wait in memory.
    pub capacity: u64,
    pub(crate) by_origin: Vec<(Origin, bool, u64)>,
    pub(crate) durations: ByOutcome,
    pub(crate) target: Target,
    pub(crate) since: SystemTime,
}

impl Snapshot {
    pub(crate) fn of(queue: &Queue, target: Target) -> Self {
        // The books first: a span that ends in between was started before, so `live` is never negative.
        let ledger = queue.ledger();
        let mut by_origin = Vec::with_capacity(6);
        for origin in Origin::ALL {
            for sampled in [true, false] {
                by_origin.push((origin, sampled, queue.started_count(sampled, origin)));
            }
        }
        let started = by_origin.iter().filter(|(_, sampled, _)| *sampled).map(|(.., count)| count).sum::<u64>();
        Self {
            live: started.saturating_sub(ledger.ended),
            started,
            capacity: queue.capacity() as u64,
            by_origin,
            durations: queue.durations().snapshot(),
            target,
            since: queue.since(),
            ledger,
        }
    }

    /// Spans that were started and not sampled.
    pub fn unsampled(&self) -> u64 {
        self.by_origin.iter().filter(|(_, sampled, _)| !sampled).map(|(.., count)| count).sum()
    }
}
