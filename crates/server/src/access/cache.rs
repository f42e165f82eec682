//! Answers that are good for a while.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Answers by question; so many at most, and none older than it may be.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    entries: Mutex<HashMap<K, (Instant, V)>>,
    most: usize,
    good_for: Duration,
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    pub(super) fn new(most: usize, good_for: Duration) -> Self {
        Self { entries: Mutex::default(), most, good_for }
    }

    /// An answer that is still good.
    pub(super) fn get(&self, key: &K, now: Instant) -> Option<V> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, value) = entries.get(key)?;
        (now.saturating_duration_since(*at) < self.good_for).then(|| value.clone())
    }

    /// Keeps an answer; says how many that were still good had to go for it.
    pub(super) fn insert(&self, key: K, value: V, now: Instant) -> usize {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lost = 0;
        if entries.len() >= self.most && !entries.contains_key(&key) {
            entries.retain(|_, (at, _)| now.saturating_duration_since(*at) < self.good_for);
            if entries.len() >= self.most {
                lost = entries.len();
                entries.clear();
            }
        }
        entries.insert(key, (now, value));
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_good_for_its_time_and_no_longer() {
        let cache = Cache::new(2, Duration::from_mins(1));
        let now = Instant::now();
        cache.insert("a", 1, now);
        assert_eq!(cache.get(&"a", now + Duration::from_secs(59)), Some(1));
        assert_eq!(cache.get(&"a", now + Duration::from_mins(1)), None);
    }

    #[test]
    fn there_are_never_more_than_fit_and_what_goes_early_is_told() {
        let cache = Cache::new(2, Duration::from_mins(1));
        let now = Instant::now();
        let later = now + Duration::from_secs(61);
        assert_eq!((cache.insert("a", 1, now), cache.insert("b", 2, now)), (0, 0));
        assert_eq!(cache.insert("c", 3, later), 0, "those that are no longer good are no loss");
        assert_eq!((cache.insert("d", 4, later), cache.insert("c", 5, later)), (0, 0));
        assert_eq!(cache.insert("e", 6, later), 2);
        assert_eq!(cache.get(&"d", later), None);
        assert_eq!(cache.get(&"e", later), Some(6));
    }
}
