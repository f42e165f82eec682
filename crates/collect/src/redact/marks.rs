//! The marked objects that were seen, so that a patch which does not show the mark is hidden all the same.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::json::Members;

/// More marked objects than that, and every object counts as marked: better hidden than shown.
const MOST: usize = 10_000;

/// Remembers marked objects over the lines of one recording.
#[derive(Debug, Default)]
pub struct Marks {
    seen: Mutex<BTreeSet<String>>,
}

impl Marks {
    pub(super) fn add(&self, key: String) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < MOST {
            seen.insert(key);
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.len() >= MOST || seen.contains(key)
    }
}

/// What an object is remembered by, from its metadata or from the reference in an audit event.
pub(super) fn key(resource: &str, names: &Members<'_>) -> Option<String> {
    let name = names.text("name")?;
    let namespace = names.text("namespace").unwrap_or_default();
    Some(format!("{resource}/{namespace}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_limit_everything_is_marked() {
        let marks = Marks::default();
        for number in 0..MOST {
            assert!(!marks.has("another"));
            marks.add(number.to_string());
        }
        assert!(marks.has("7") && marks.has("another"));
    }
}
