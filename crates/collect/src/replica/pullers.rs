//! Who follows this replica's log, and how far each is: the log is kept for them, within its limit.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clew_store::{Position, Store};
use serde::{Deserialize, Serialize};

use crate::live::file;
use crate::weaving::Clock;

/// How many are remembered, and for how long after they were last seen: one whose disk was lost never comes back.
const MOST: usize = 8;
const REMEMBERED: i64 = 24 * 3600 * 1_000_000_000;
/// How often the file is written.
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// Who asked within this time is there: a question waits for at most five seconds.
const PRESENT: i64 = 7 * 1_000_000_000;

/// Who follows this replica's log. Clones are the same.
#[derive(Clone)]
pub struct Pullers {
    store: Arc<dyn Store>,
    path: PathBuf,
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
struct Known {
    pullers: BTreeMap<String, Puller>,
    saved: Option<Instant>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Puller {
    after: u64,
    /// Nanoseconds of the wall's clock.
    seen: i64,
}

impl Pullers {
    /// Those who were known before; the log is kept for them from now on, and for those who come.
    pub fn open(store: Arc<dyn Store>, folder: &std::path::Path) -> Self {
        let path = folder.join("pullers");
        let bytes = file::read(&path).ok().flatten().unwrap_or_default();
        let pullers = serde_json::from_slice(&bytes).unwrap_or_default();
        let known = Arc::new(Mutex::new(Known { pullers, saved: None }));
        let all = Self { store, path, known };
        all.hold(&mut all.known.lock().unwrap_or_else(PoisonError::into_inner));
        all
    }

    /// One has everything up to here.
    pub(super) fn has(&self, who: &str, after: Position) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.pullers.len() >= MOST && !known.pullers.contains_key(who) {
            return;
        }
        known.pullers.insert(who.to_owned(), Puller { after: after.0, seen: Clock::wall().as_nanos() });
        self.hold(&mut known);
        if known.saved.is_some_and(|saved| saved.elapsed() < SAVE_EVERY) {
            return;
        }
        known.saved = Some(Instant::now());
        let bytes = serde_json::to_vec(&known.pullers).unwrap_or_default();
        drop(known);
        let path = self.path.clone();
        // An older place only keeps the log a little longer.
        tokio::task::spawn_blocking(move || file::write(&path, &bytes));
    }

    /// Whether all who are there have everything up to here.
    pub fn all_have(&self, position: Position) -> bool {
        let now = Clock::wall().as_nanos();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut present = known.pullers.values().filter(|puller| now.saturating_sub(puller.seen) < PRESENT);
        present.all(|puller| puller.after >= position.0)
    }

    fn hold(&self, known: &mut Known) {
        let now = Clock::wall().as_nanos();
        known.pullers.retain(|_, puller| now.saturating_sub(puller.seen) < REMEMBERED);
        // Until somebody came, all is kept for whoever will.
        let slowest = known.pullers.values().map(|puller| puller.after).min().unwrap_or(0);
        self.store.hold(Some(Position(slowest)));
    }
}
