//! How each source is: what `/api/v1/status` shows, and what nobody should have to guess.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use clew_model::Time;
use compact_str::CompactString;
use serde::Serialize;

/// More sources than any installation has; further ones work, but are not shown.
const MOST: usize = 20_000;

/// What kind of source it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SourceKind {
    /// A cluster as a whole: whether it answers.
    Cluster,
    /// The watch of one resource.
    Watch,
    /// The audit webhook or log.
    Audit,
    /// Spans over OTLP.
    Otlp,
    /// The admission webhook.
    Admission,
    /// A node's agent.
    Node,
    /// Traced commands.
    Steps,
    /// A recording that is played.
    Capture,
    /// The certificate that clew's listeners show: where it comes from, and whether the next could be read.
    Certificate,
    /// Another replica of clew.
    Replica,
    /// The Lease that says which replica leads: up in that one, waiting in the others.
    Lease,
}

/// How a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceState {
    /// It works, also if it has nothing to tell.
    Up,
    /// It has not begun, or tries again.
    Waiting,
    /// It cannot work as things are: the message says what to do.
    Failed,
}

/// A source at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceStatus {
    /// The cluster.
    pub cluster: CompactString,
    /// What kind of source.
    pub kind: SourceKind,
    /// `pods`, `deployments.apps`, `webhook`.
    pub name: CompactString,
    /// How it is.
    pub state: SourceState,
    /// When it last told something.
    pub last_seen: Option<Time>,
    /// How many facts it told.
    pub count: u64,
    /// How much of it could not be taken.
    pub dropped: u64,
    /// How many objects are remembered for it.
    pub held: u64,
    /// What there is to say, in one line; empty if nothing.
    pub message: String,
}

#[derive(Debug)]
struct Entry {
    state: Mutex<(SourceState, String)>,
    last_seen: AtomicI64,
    count: AtomicU64,
    dropped: AtomicU64,
    held: AtomicU64,
}

type Key = (CompactString, SourceKind, CompactString);

/// All sources; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    entries: Arc<Mutex<BTreeMap<Key, Arc<Entry>>>>,
}

/// Where one source says how it is.
#[derive(Debug, Clone)]
pub struct SourceHandle {
    entry: Arc<Entry>,
}

impl Sources {
    /// The place of a source, which begins as waiting; the same one for the same names.
    pub fn of(&self, cluster: &str, kind: SourceKind, name: &str) -> SourceHandle {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (cluster.into(), kind, name.into());
        if let Some(entry) = entries.get(&key) {
            return SourceHandle { entry: Arc::clone(entry) };
        }
        let entry = Arc::new(Entry {
            state: Mutex::new((SourceState::Waiting, String::new())),
            last_seen: AtomicI64::new(i64::MIN),
            count: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
            held: AtomicU64::new(0),
        });
        if entries.len() < MOST {
            entries.insert(key, Arc::clone(&entry));
        }
        SourceHandle { entry }
    }

    /// Forgets a source that is no more.
    pub fn remove(&self, cluster: &str, kind: SourceKind, name: &str) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.remove(&(cluster.into(), kind, name.into()));
    }

    /// Every source, by cluster, kind and name.
    pub fn list(&self) -> Vec<SourceStatus> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().map(|(key, entry)| entry.status(key)).collect()
    }
}

impl Entry {
    fn status(&self, (cluster, kind, name): &Key) -> SourceStatus {
        let (state, message) = self.state.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let last_seen = self.last_seen.load(Ordering::Relaxed);
        SourceStatus {
            cluster: cluster.clone(),
            kind: *kind,
            name: name.clone(),
            state,
            last_seen: (last_seen != i64::MIN).then(|| Time::from_nanos(last_seen)),
            count: self.count.load(Ordering::Relaxed),
            dropped: self.dropped.load(Ordering::Relaxed),
            held: self.held.load(Ordering::Relaxed),
            message,
        }
    }
}

impl SourceHandle {
    /// It works.
    pub fn up(&self) {
        self.set(SourceState::Up, String::new());
    }

    /// It works, and there is something to say.
    pub fn up_with(&self, message: impl Into<String>) {
        self.set(SourceState::Up, message.into());
    }

    /// It tries again.
    pub fn waiting(&self, message: impl Into<String>) {
        self.set(SourceState::Waiting, message.into());
    }

    /// It cannot work as things are.
    pub fn failed(&self, message: impl Into<String>) {
        self.set(SourceState::Failed, message.into());
    }

    /// It told so many facts just now.
    pub fn seen(&self, facts: u64) {
        self.entry.count.fetch_add(facts, Ordering::Relaxed);
        self.entry.last_seen.store(now().as_nanos(), Ordering::Relaxed);
    }

    /// So much of it could not be taken.
    pub fn dropped(&self, lines: u64) {
        self.entry.dropped.fetch_add(lines, Ordering::Relaxed);
    }

    /// So many objects are remembered for it.
    pub fn holds(&self, objects: usize) {
        self.entry.held.store(objects as u64, Ordering::Relaxed);
    }

    fn set(&self, state: SourceState, message: String) {
        *self.entry.state.lock().unwrap_or_else(PoisonError::into_inner) = (state, message);
    }
}

/// The time of the machine.
pub(super) fn now() -> Time {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    Time::from_nanos(i64::try_from(nanos).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_says_how_it_is_under_its_names() {
        let sources = Sources::default();
        let pods = sources.of("prod", SourceKind::Watch, "pods");
        assert_eq!(sources.list()[0].state, SourceState::Waiting);
        pods.up();
        sources.of("prod", SourceKind::Watch, "pods").seen(3);
        sources.of("prod", SourceKind::Audit, "webhook").failed("no token");
        let list = sources.list();
        assert_eq!(list.len(), 2);
        assert_eq!((list[0].name.as_str(), list[0].state, list[0].count), ("pods", SourceState::Up, 3));
        assert!(list[0].last_seen.is_some() && list[1].last_seen.is_none());
        assert_eq!(list[1].message, "no token");
        sources.remove("prod", SourceKind::Audit, "webhook");
        assert_eq!(sources.list().len(), 1);
    }
}
