//! What was forwarded, and what was not.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

/// What was forwarded since the start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forwarded {
    /// Journeys that went out, those that went out again included.
    pub journeys: u64,
    /// Journeys that wait until they are settled.
    pub waiting: u64,
    /// Journeys that another replica forwards, and this one if it must.
    pub held: u64,
    /// Journeys that were not forwarded, since too many waited.
    pub missed: u64,
    /// How often the store could not give a journey; it is asked again.
    pub store_failures: u64,
    /// Each endpoint.
    pub endpoints: Vec<LaneCounts>,
}

/// What one endpoint got.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneCounts {
    /// Which.
    pub url: String,
    /// Spans that it took.
    pub sent: u64,
    /// Spans of requests that it took, which it refused.
    pub rejected: u64,
    /// Spans that wait on disk.
    pub waiting_spans: u64,
    /// Bytes that wait on disk.
    pub waiting_bytes: u64,
    /// Attempts that failed and are made again.
    pub retries: u64,
    /// Spans that are lost, by reason: `spool_full`, `disk`, `damaged`, or the code that the endpoint answered.
    pub dropped: BTreeMap<&'static str, u64>,
    /// What it said last, if that was an error.
    pub last_error: Option<String>,
}

/// Something that is shared. Clones are the same.
#[derive(Debug, Default)]
pub(super) struct Shared<T>(Arc<Mutex<T>>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Shared<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Arc::new(Mutex::new(value)))
    }

    /// Locked even after a panic elsewhere: counts are only ever added to.
    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
