//! How this replica stands with the others, for whoever shows it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How this replica stands with another.
#[derive(Debug, Clone, Default)]
pub struct PeerState {
    /// Records of its log that are not here yet, as far as is known.
    pub behind: u64,
    /// Since when something is not here yet; none if everything is.
    pub since: Option<Instant>,
    /// Whether everything was here at least once since the start.
    pub filled: bool,
    /// Whether it answered last time.
    pub is_there: bool,
    /// Records that came from it.
    pub records: u64,
    /// Records of it that are lost to this replica: no longer there, or not readable.
    pub lacking: u64,
}

/// How this replica stands with all others. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Standing(Arc<Mutex<BTreeMap<String, PeerState>>>);

impl Standing {
    /// Each, by its address.
    pub fn peers(&self) -> BTreeMap<String, PeerState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is still to come before this replica answers as the others do; none if nothing is.
    pub fn filling(&self) -> Option<String> {
        let peers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (url, peer) = peers.iter().find(|(_, peer)| peer.is_there && !peer.filled)?;
        Some(format!("takes over what {url} has: {} records to go", peer.behind))
    }

    pub(super) fn update(&self, url: &str, change: impl FnOnce(&mut PeerState)) {
        let mut peers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(peers.entry(url.to_owned()).or_default());
    }

    pub(super) fn forget(&self, url: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(url);
    }
}
