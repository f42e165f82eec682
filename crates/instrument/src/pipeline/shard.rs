//! The part of the queue that one thread writes to, so that threads that end spans at once do not wait for each other.

use super::started::Started;
use crate::trace::Recording;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

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

/// One part; alone on its cache lines.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Shard {
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
