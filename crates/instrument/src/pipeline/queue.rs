//! The bounded queue between the spans of a component and the thread that exports them.

use super::ledger::Ledger;
use super::shard::{self, Common, SHARDS, Shard};
use super::started::Origin;
use crate::metrics::Durations;
use crate::sync::lock;
use crate::trace::{Limits, Recording, SpanRecord};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tokio::sync::Notify;

/// The queue and the books; it outlives reloads, so that a reload loses nothing.
///
/// A span moves from a shard's intake to the ledger under the locks of both, and whoever reads the books holds the
/// locks of all: so the books add up at every moment. Locks are taken in the order of the shards, the ledger's last.
pub(crate) struct Queue {
    durations: Durations,
    since: SystemTime,
    common: Arc<Common>,
    shards: [Arc<Shard>; SHARDS],
    /// Counts the batches that were taken.
    turn: AtomicUsize,
    /// The books of what has left the shards.
    ledger: Mutex<Ledger>,
}

impl Queue {
    pub(crate) fn new(capacity: usize, batch: usize, limits: Limits) -> Self {
        let capacity = capacity.max(1);
        let common = Arc::new(Common {
            capacity,
            batch: batch.clamp(1, capacity),
            limits,
            waiting: AtomicUsize::new(0),
            open: AtomicBool::new(false),
            wake: Notify::new(),
        });
        Self {
            durations: Durations::default(),
            since: SystemTime::now(),
            shards: std::array::from_fn(|_| Arc::new(Shard::new(Arc::clone(&common)))),
            common,
            turn: AtomicUsize::new(0),
            ledger: Mutex::default(),
        }
    }

    /// The calling thread's part.
    #[inline]
    pub(crate) fn shard(&self) -> &Arc<Shard> {
        &self.shards[shard::mine()]
    }

    /// How many spans were started.
    pub(crate) fn started_count(&self, sampled: bool, origin: Origin) -> u64 {
        self.shards.iter().map(|shard| shard.started.count(sampled, origin)).sum()
    }

    pub(crate) fn durations(&self) -> &Durations {
        &self.durations
    }

    /// When counting began.
    pub(crate) fn since(&self) -> SystemTime {
        self.since
    }

    pub(crate) fn capacity(&self) -> usize {
        self.common.capacity
    }

    /// Says whether a worker takes spans out from now on; what waits when it closes is lost.
    pub(crate) fn set_open(&self, open: bool) {
        self.common.open.store(open, Ordering::Release);
        if open {
            return;
        }
        for shard in &self.shards {
            let mut intake = lock(&shard.intake);
            let left = std::mem::take(&mut intake.spans);
            intake.lost_closed += left.len() as u64;
            self.common.waiting.fetch_sub(left.len(), Ordering::Relaxed);
        }
    }

    /// Takes the next batch; its spans are in flight until [`settle`](Self::settle) or [`spooled`](Self::spooled).
    pub(crate) fn take(&self) -> Vec<SpanRecord> {
        let mut taken: Vec<Arc<Recording>> =
            Vec::with_capacity(self.common.batch.min(self.common.waiting.load(Ordering::Relaxed)));
        // Another shard is first each time, so that a busy thread cannot keep the others' spans waiting.
        let first = self.turn.fetch_add(1, Ordering::Relaxed) % SHARDS;
        for shard in self.shards.iter().cycle().skip(first).take(SHARDS) {
            let mut intake = lock(&shard.intake);
            let count = intake.spans.len().min(self.common.batch - taken.len());
            if count == 0 {
                continue;
            }
            taken.extend(intake.spans.drain(..count));
            self.common.waiting.fetch_sub(count, Ordering::Relaxed);
            lock(&self.ledger).in_flight += count as u64;
        }
        taken.into_iter().map(Recording::into_record).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shards.iter().all(|shard| lock(&shard.intake).spans.is_empty())
    }

    /// How many batches must be taken until all that waits now is among them, whatever ends meanwhile.
    pub(crate) fn batches_to_drain(&self) -> usize {
        let waiting = self.common.waiting.load(Ordering::Relaxed);
        SHARDS * (waiting / self.common.batch + 1)
    }

    /// Books the end of an export.
    pub(crate) fn settle(&self, exported: u64, lost: u64, reason: Cow<'static, str>) {
        let mut ledger = lock(&self.ledger);
        ledger.in_flight -= exported + lost;
        ledger.exported += exported;
        ledger.drop_spans(reason, lost);
    }

    /// Books a batch that went to disk.
    pub(crate) fn spooled(&self, count: u64) {
        let mut ledger = lock(&self.ledger);
        ledger.in_flight -= count;
        ledger.spooled += count;
    }

    /// Books a batch that came back from disk to be exported.
    pub(crate) fn unspooled(&self, count: u64) {
        let mut ledger = lock(&self.ledger);
        ledger.spooled -= count;
        ledger.in_flight += count;
    }

    /// Books spans that an earlier run left on disk.
    pub(crate) fn recovered(&self, count: u64) {
        let mut ledger = lock(&self.ledger);
        ledger.recovered += count;
        ledger.spooled += count;
    }

    pub(crate) fn retried(&self) {
        lock(&self.ledger).retries += 1;
    }

    /// The books, as of one moment.
    pub(crate) fn ledger(&self) -> Ledger {
        let intakes: Vec<_> = self.shards.iter().map(|shard| lock(&shard.intake)).collect();
        let mut ledger = lock(&self.ledger).clone();
        for intake in &intakes {
            ledger.ended += intake.ended;
            ledger.waiting += intake.spans.len() as u64;
            ledger.drop_spans(Cow::Borrowed("queue_full"), intake.lost_full);
            ledger.drop_spans(Cow::Borrowed("already_shutdown"), intake.lost_closed);
        }
        ledger
    }

    /// Resolves when a whole batch waits.
    pub(crate) async fn full_batch(&self) {
        while self.common.waiting.load(Ordering::Relaxed) < self.common.batch {
            self.common.wake.notified().await;
        }
    }
}
