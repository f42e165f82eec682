//! Which spans have come already: a client that got no answer sends again.

use rustc_hash::FxHashSet;

/// How many spans a generation remembers: 16 bytes each.
const GENERATION: usize = 500_000;

/// The contents of recent spans, in two generations: when the young one is full it becomes the old one.
#[derive(Debug, Default)]
pub(super) struct Seen {
    young: FxHashSet<u128>,
    old: FxHashSet<u128>,
}

impl Seen {
    /// Remembers a content; says whether it is new.
    pub(super) fn insert(&mut self, content: u128) -> bool {
        if self.old.contains(&content) || !self.young.insert(content) {
            return false;
        }
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
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
        for content in 2..GENERATION as u128 {
            assert!(seen.insert(content));
        }
        assert!(!seen.insert(1));
        assert!(seen.young.len() + seen.old.len() <= 2 * GENERATION);
    }
}
