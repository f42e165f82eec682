//! Journeys that wait: until they are settled, or for another replica to forward them.

use std::collections::{BTreeSet, VecDeque};

use clew_model::TraceId;
use rustc_hash::FxHashSet;
use tokio::time::Instant;

/// How many journeys may wait.
pub(super) const MAX_WAITING: usize = 65_536;

/// The journeys that wait to be settled, by when they are due.
#[derive(Default)]
pub(super) struct Waiting {
    known: FxHashSet<TraceId>,
    due: BTreeSet<(Instant, TraceId)>,
}

impl Waiting {
    /// False if there is no room. One that waits already keeps its time: a journey that changes every second goes out too.
    pub(super) fn add(&mut self, journey: TraceId, due: Instant) -> bool {
        if self.known.contains(&journey) {
            return true;
        }
        if self.known.len() >= MAX_WAITING {
            return false;
        }
        self.known.insert(journey);
        self.due.insert((due, journey));
        true
    }

    pub(super) fn next(&self) -> Option<Instant> {
        self.due.first().map(|(due, _)| *due)
    }

    pub(super) fn take(&mut self, now: Option<Instant>) -> Option<TraceId> {
        let first = self.due.first().filter(|(due, _)| now.is_none_or(|now| *due <= now)).copied()?;
        self.due.remove(&first);
        self.known.remove(&first.1);
        Some(first.1)
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }
}

/// The journeys that another replica forwards, oldest first.
#[derive(Default)]
pub(super) struct Held {
    known: FxHashSet<TraceId>,
    order: VecDeque<TraceId>,
}

impl Held {
    /// False if the oldest had to go for it.
    pub(super) fn add(&mut self, journey: TraceId) -> bool {
        if !self.known.insert(journey) {
            return true;
        }
        self.order.push_back(journey);
        if self.known.len() <= MAX_WAITING {
            // What was removed is still in the order.
            if self.order.len() > 2 * MAX_WAITING {
                self.order.retain(|journey| self.known.contains(journey));
            }
            return true;
        }
        while let Some(oldest) = self.order.pop_front() {
            if self.known.remove(&oldest) {
                return false;
            }
        }
        true
    }

    pub(super) fn contains(&self, journey: TraceId) -> bool {
        self.known.contains(&journey)
    }

    pub(super) fn remove(&mut self, journey: TraceId) {
        self.known.remove(&journey);
    }

    /// All of them, oldest first; none is held after that.
    pub(super) fn take_all(&mut self) -> Vec<TraceId> {
        let known = std::mem::take(&mut self.known);
        let mut order: Vec<TraceId> =
            std::mem::take(&mut self.order).into_iter().filter(|it| known.contains(it)).collect();
        // One that was removed and came again is there twice.
        let mut seen = FxHashSet::default();
        order.retain(|journey| seen.insert(*journey));
        order
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u32) -> TraceId {
        TraceId::from_bytes((u128::from(number) + 1).to_be_bytes())
    }

    #[test]
    fn what_is_held_is_given_once_and_bounded() {
        let mut held = Held::default();
        assert!(held.add(id(1)) && held.add(id(2)) && held.add(id(1)));
        held.remove(id(1));
        assert!(held.add(id(1)) && held.contains(id(1)));
        assert_eq!(held.take_all(), [id(1), id(2)]);
        assert_eq!(held.len(), 0);
        for number in 0..u32::try_from(MAX_WAITING).expect("small") {
            assert!(held.add(id(number)));
        }
        assert!(!held.add(id(u32::MAX)));
        assert!(!held.contains(id(0)) && held.contains(id(1)) && held.contains(id(u32::MAX)));
    }
}
