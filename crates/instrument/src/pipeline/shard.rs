//! The part of the queue that one thread writes to, so that threads that end spans at once do not wait for each other.

use super::started::Started;
use crate::sync::lock;
use crate::trace::{Limits, Recording};
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// How many parts there are: more than the threads that end spans at one moment on most machines.
pub(super) const SHARDS: usize = 8;

static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static MINE: Cell<usize> = Cell::new(NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS);
}

/// The part of the calling thread.
pub(super) fn mine() -> usize {
    // A thread that is ending writes to the first.
    MINE.try_with(Cell::get).unwrap_or(0)
}

/// What all parts of a queue share.
pub(super) struct Common {
    pub(super) capacity: usize,
    pub(super) batch: usize,
    pub(super) limits: Limits,
    /// How many spans wait in all parts.
    pub(super) waiting: AtomicUsize,
    /// Whether somebody will take spans out.
    pub(super) open: AtomicBool,
    pub(super) wake: Notify,
}

/// One part; alone on its cache lines. A recorded span holds the part of the thread that it began on.
#[repr(align(128))]
pub(crate) struct Shard {
    pub(super) common: Arc<Common>,
    pub(super) started: Started,
    pub(super) intake: Mutex<Intake>,
}

/// The spans that wait in a part, and the books of those that came in.
#[derive(Default)]
pub(super) struct Intake {
    pub(super) spans: VecDeque<Arc<Recording>>,
    pub(super) ended: u64,
    pub(super) lost_full: u64,
    pub(super) lost_closed: u64,
}

impl Shard {
    pub(super) fn new(common: Arc<Common>) -> Self {
        Self { common, started: Started::default(), intake: Mutex::default() }
    }

    /// How much a span may hold.
    pub(crate) fn limits(&self) -> &Limits {
        &self.common.limits
    }

    /// The counters of started spans.
    pub(crate) fn started(&self) -> &Started {
        &self.started
    }

    /// Takes an ended span in, or counts it as lost; never waits for anything but its own lock.
    pub(crate) fn push(&self, span: Arc<Recording>) {
        let common = &self.common;
        let mut intake = lock(&self.intake);
        intake.ended += 1;
        if !common.open.load(Ordering::Acquire) {
            intake.lost_closed += 1;
            return;
        }
        let before = common.waiting.fetch_add(1, Ordering::Relaxed);
        if before >= common.capacity {
            common.waiting.fetch_sub(1, Ordering::Relaxed);
            intake.lost_full += 1;
            return;
        }
        intake.spans.push_back(span);
        drop(intake);
        if before + 1 == common.batch {
            common.wake.notify_one();
        }
    }
}
