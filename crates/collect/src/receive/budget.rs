//! The memory of all requests that are being taken, together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::refusal::Refusal;

/// So many bytes for everyone.
#[derive(Debug)]
pub(super) struct Budget {
    max: usize,
    held: AtomicUsize,
}

impl Budget {
    pub(super) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, held: AtomicUsize::new(0) })
    }
}

/// What one request holds; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Share {
    pub(super) fn new(budget: &Arc<Budget>) -> Self {
        Self { budget: Arc::clone(budget), bytes: 0 }
    }

    /// Takes more. Nobody waits for memory that another may never give back: it is there, or the request is refused.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<(), Refusal> {
        let fits = |held: usize| held.checked_add(bytes).filter(|sum| *sum <= self.budget.max);
        let taken = self.budget.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
        taken.map_err(|_| Refusal::Busy)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_gives_back_another_may_take() {
        let budget = Budget::new(10);
        let mut one = Share::new(&budget);
        let mut other = Share::new(&budget);
        assert_eq!(one.grow(6), Ok(()));
        assert_eq!(other.grow(5), Err(Refusal::Busy));
        assert_eq!(other.grow(4), Ok(()));
        drop(one);
        assert_eq!(other.grow(6), Ok(()));
        assert_eq!(other.grow(usize::MAX), Err(Refusal::Busy));
    }
}
