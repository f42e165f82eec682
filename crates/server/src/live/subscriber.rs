//! One reader of the live stream, and its side of the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use clew_model::Time;
use tokio::sync::mpsc;

use super::event::Event;
use crate::matching::{Matcher, Subject, Verdict};

/// The hub's side of a reader.
#[derive(Debug)]
pub(super) struct Subscriber {
    pub(super) matcher: Matcher,
    /// Journeys that began before are not wanted.
    pub(super) since: Option<Time>,
    pub(super) queue: mpsc::Sender<Event>,
    pub(super) missed: Arc<AtomicBool>,
}

impl Subscriber {
    /// Whether the journey concerns this reader.
    pub(super) fn verdict(&self, subject: &Subject<'_>) -> Verdict {
        if self.since.is_some_and(|since| subject.journey.start < since) {
            return Verdict::No;
        }
        self.matcher.journey(subject)
    }

    /// Hands an event over; a full queue is the reader's loss, never the writer's delay.
    pub(super) fn tell(&self, event: Event, dropped: &AtomicU64) {
        // Once something is missed only a new list helps, so the rest is not worth queueing.
        if self.missed.load(Ordering::Acquire) || self.queue.try_send(event).is_err() {
            self.missed.store(true, Ordering::Release);
            dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A reader's side: events in their order.
#[derive(Debug)]
pub struct Subscription {
    pub(super) queue: mpsc::Receiver<Event>,
    pub(super) missed: Arc<AtomicBool>,
}

impl Subscription {
    /// The next event; waits for one. None when the hub is gone.
    pub async fn next(&mut self) -> Option<Event> {
        if let Ok(event) = self.queue.try_recv() {
            return Some(event);
        }
        if self.missed.swap(false, Ordering::AcqRel) {
            return Some(Event::Resync);
        }
        self.queue.recv().await
    }
}
