//! Telling when a recording has all its watches: from then on it misses nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts down the resources that were found first.
#[derive(Debug)]
pub(super) struct Begun {
    all: usize,
    left: AtomicUsize,
}

impl Begun {
    pub(super) fn new(resources: usize) -> Self {
        Self { all: resources, left: AtomicUsize::new(resources) }
    }

    /// One more is watched, or cannot be; says how many there are when that was the last.
    pub(super) fn settle_one(&self) -> Option<usize> {
        let last = self.left.fetch_sub(1, Ordering::Relaxed) == 1;
        last.then_some(self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::Begun;

    #[test]
    fn only_the_last_one_tells() {
        let begun = Begun::new(2);
        assert_eq!((begun.settle_one(), begun.settle_one()), (None, Some(2)));
    }
}
