//! Audit events that came before: the API server sends a batch again when it is not sure that it arrived.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;
use serde::Deserialize;

/// How many events are remembered in each of two halves: some minutes of a busy cluster, in about 6 MiB.
const HALF: usize = 128 * 1024;

/// What tells an event from all others: its audit id and stage, hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EventKey([u8; 16]);

/// Remembers the latest events.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    halves: Mutex<Halves>,
}

#[derive(Debug, Default)]
struct Halves {
    newer: FxHashSet<EventKey>,
    older: FxHashSet<EventKey>,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(rename = "auditID", borrow, default)]
    audit_id: Cow<'a, str>,
    #[serde(borrow, default)]
    stage: Cow<'a, str>,
}

impl EventKey {
    /// The key of an event; none if it has no id.
    pub(super) fn of(line: &str) -> Option<Self> {
        let named: Named<'_> = serde_json::from_str(line).ok()?;
        if named.audit_id.is_empty() {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(named.audit_id.as_bytes()).update(b"\0").update(named.stage.as_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Some(Self(key))
    }
}

impl Duplicates {
    pub(super) fn has(&self, key: EventKey) -> bool {
        let halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        halves.newer.contains(&key) || halves.older.contains(&key)
    }

    /// Remembers events that are durable now.
    pub(super) fn add(&self, keys: impl IntoIterator<Item = EventKey>) {
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            if halves.newer.len() >= HALF {
                halves.older = std::mem::take(&mut halves.newer);
            }
            halves.newer.insert(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: &str, stage: &str) -> EventKey {
        EventKey::of(&format!(r#"{{"level":"Metadata","auditID":"{id}","stage":"{stage}","x":{{"auditID":1}}}}"#))
            .expect("a key")
    }

    #[test]
    fn an_event_is_known_by_its_id_and_stage() {
        let duplicates = Duplicates::default();
        duplicates.add([key("a", "ResponseComplete")]);
        assert!(duplicates.has(key("a", "ResponseComplete")));
        assert!(!duplicates.has(key("a", "Panic")) && !duplicates.has(key("b", "ResponseComplete")));
        assert_eq!(EventKey::of("{}"), None);
    }

    #[test]
    fn the_oldest_events_are_forgotten() {
        let duplicates = Duplicates::default();
        duplicates.add((0..=2 * HALF).map(|number| key(&number.to_string(), "")));
        assert!(!duplicates.has(key("0", "")) && duplicates.has(key(&(2 * HALF).to_string(), "")));
    }
}
