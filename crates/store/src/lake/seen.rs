//! Which spans have come already: a client that got no answer sends again.

use std::sync::LazyLock;

use foldhash::quality::RandomState;
use rustc_hash::FxHashSet;

use crate::otlp::Unread;

/// A hash with a key of this process: nobody can make a span that passes for another's. Of the million spans that are
/// remembered, one in twenty million million passes for another by chance.
static KEY: LazyLock<RandomState> = LazyLock::new(Default::default);

/// How many spans a generation remembers, at nine bytes each: as many as fit into a table of half a million places.
const GENERATION: usize = 450_000;

/// The contents of spans, as hashes: the same in this process only.
pub(super) fn contents(spans: &Unread) -> Vec<u64> {
    spans.hashes(&*KEY)
}

/// The contents of recent spans, in two generations: when the young one is full it becomes the old one.
#[derive(Debug, Default)]
pub(super) struct Seen {
    young: FxHashSet<u64>,
    old: FxHashSet<u64>,
}

impl Seen {
    /// Remembers a content; says whether it is new.
    pub(super) fn insert(&mut self, content: u64) -> bool {
        if self.old.contains(&content) || !self.young.insert(content) {
            return false;
        }
        if self.young.len() >= GENERATION {
            std::mem::swap(&mut self.old, &mut self.young);
            self.young.clear();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_new_once_for_at_least_a_generation() {
        let mut seen = Seen::default();
        assert!(seen.insert(1));
        for content in 2..GENERATION as u64 {
            assert!(seen.insert(content));
        }
        assert!(!seen.insert(1));
        assert!(seen.young.len() + seen.old.len() <= 2 * GENERATION);
    }
}
