//! The bounded queue between the spans of a component and the thread that exports them.

use super::ledger::Ledger;
use super::started::Started;
use crate::metrics::Durations;
use crate::sync::lock;
use crate::trace::{Recording, SpanRecord};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tokio::sync::Notify;

/// The queue and the books; it outlives reloads, so that a reload loses nothing.
pub(crate) struct Queue {
    capacity: usize,
    batch: usize,
    started: Started,
    durations: Durations,
    since: SystemTime,
    inner: Mutex<Inner>,
    wake: Notify,
}

struct Inner {
    spans: VecDeque<Arc<Recording>>,
    ledger: Ledger,
    /// Whether somebody will take spans out.
    open: bool,
}

impl Queue {
    pub(crate) fn new(capacity: usize, batch: usize) -> Self {
        let capacity = capacity.max(1);
        Self {
            capacity,
            batch: batch.clamp(1, capacity),
            started: Started::default(),
            durations: Durations::default(),
            since: SystemTime::now(),
            inner: Mutex::new(Inner { spans: VecDeque::new(), ledger: Ledger::default(), open: false }),
            wake: Notify::new(),
        }
    }

    pub(crate) fn started(&self) -> &Started {
        &self.started
    }

    pub(crate) fn durations(&self) -> &Durations {
        &self.durations
    }

    /// When counting began.
    pub(crate) fn since(&self) -> SystemTime {
        self.since
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Takes an ended span in, or counts it as lost; never waits for anything but the lock.
    pub(crate) fn push(&self, span: Arc<Recording>) {
        let mut inner = lock(&self.inner);
        inner.ledger.ended += 1;
        if !inner.open {
            inner.ledger.drop_spans(Cow::Borrowed("already_shutdown"), 1);
            return;
        }
        if inner.spans.len() >= self.capacity {
            inner.ledger.drop_spans(Cow::Borrowed("queue_full"), 1);
            return;
        }
        inner.spans.push_back(span);
        inner.ledger.waiting += 1;
        let full_batch = inner.spans.len() == self.batch;
        drop(inner);
        if full_batch {
            self.wake.notify_one();
        }
    }

    /// Says whether a worker takes spans out from now on; what waits when it closes is lost.
    pub(crate) fn set_open(&self, open: bool) {
        let mut inner = lock(&self.inner);
        inner.open = open;
        if open {
            return;
        }
        let left = std::mem::take(&mut inner.spans);
        let count = inner.ledger.waiting;
        inner.ledger.waiting = 0;
        inner.ledger.drop_spans(Cow::Borrowed("already_shutdown"), count);
        drop(inner);
        drop(left);
    }

    /// Takes the next batch; its spans are in flight until [`settle`](Self::settle) or [`spooled`](Self::spooled).
    pub(crate) fn take(&self) -> Vec<SpanRecord> {
        let taken: Vec<Arc<Recording>> = {
            let mut inner = lock(&self.inner);
            let count = inner.spans.len().min(self.batch);
            let taken: Vec<_> = inner.spans.drain(..count).collect();
            inner.ledger.waiting -= taken.len() as u64;
            inner.ledger.in_flight += taken.len() as u64;
            taken
        };
        taken.iter().map(|span| span.take_record()).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.inner).spans.is_empty()
    }

    /// Whether a whole batch waits.
    pub(crate) fn has_batch(&self) -> bool {
        lock(&self.inner).spans.len() >= self.batch
    }

    /// Books the end of an export.
    pub(crate) fn settle(&self, exported: u64, lost: u64, reason: Cow<'static, str>) {
        let mut inner = lock(&self.inner);
        inner.ledger.in_flight -= exported + lost;
        inner.ledger.exported += exported;
        inner.ledger.drop_spans(reason, lost);
    }

    /// Books a batch that went to disk.
    pub(crate) fn spooled(&self, count: u64) {
        let mut inner = lock(&self.inner);
        inner.ledger.in_flight -= count;
        inner.ledger.spooled += count;
    }

    /// Books a batch that came back from disk to be exported.
    pub(crate) fn unspooled(&self, count: u64) {
        let mut inner = lock(&self.inner);
        inner.ledger.spooled -= count;
        inner.ledger.in_flight += count;
    }

    /// Books spans that an earlier run left on disk.
    pub(crate) fn recovered(&self, count: u64) {
        let mut inner = lock(&self.inner);
        inner.ledger.recovered += count;
        inner.ledger.spooled += count;
    }

    pub(crate) fn retried(&self) {
        lock(&self.inner).ledger.retries += 1;
    }

    /// The books, as of one moment.
    pub(crate) fn ledger(&self) -> Ledger {
        lock(&self.inner).ledger.clone()
    }

    /// Resolves when a batch is full.
    pub(crate) async fn woken(&self) {
        self.wake.notified().await;
    }
}
