//! Who looks, and how they are told.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clew_model::{Span, StatusCode, Time, TraceId};
use clew_store::{Filter, Right};
use clew_weave::Upserts;
use tokio::sync::mpsc;

use super::event::{About, Event};
use super::subscriber::{Subscriber, Subscription};
use crate::matching::{Matcher, Subject, Verdict};
use crate::usual::UsualDurations;
use crate::view::Row;

/// How many may look at once.
const MAX_SUBSCRIBERS: usize = 256;
/// How many events may wait for one reader.
const QUEUE: usize = 1024;

/// The handle of the live stream: the pipeline publishes, handlers subscribe. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Live(Arc<Hub>);

#[derive(Debug, Default)]
struct Hub {
    usual: UsualDurations,
    subscribers: Mutex<Vec<Subscriber>>,
    sent: AtomicU64,
    dropped: AtomicU64,
    refused: AtomicU64,
}

/// What the live stream did so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveCounts {
    /// Readers now.
    pub subscribers: usize,
    /// Events that were handed over.
    pub sent: u64,
    /// Events that a reader was too slow for.
    pub dropped: u64,
    /// Readers that were refused, since there were too many.
    pub refused: u64,
}

impl Live {
    /// A stream whose rows say what is usual, as far as that is known.
    pub(crate) fn knowing(usual: UsualDurations) -> Self {
        Self(Arc::new(Hub { usual, ..Hub::default() }))
    }

    /// Tells all who look what the weaver changed. Never waits; costs next to nothing while nobody looks.
    pub fn publish(&self, cluster: &str, upserts: &Upserts) {
        let mut subscribers = self.subscribers();
        subscribers.retain(|subscriber| !subscriber.queue.is_closed());
        if subscribers.is_empty() {
            return;
        }
        for id in &upserts.retired {
            subscribers.iter().for_each(|subscriber| self.tell(subscriber, Event::Retired(*id)));
        }
        let ranges = ranges(&upserts.spans);
        for journey in &upserts.journeys {
            let spans = ranges.get(&journey.journey).map_or(&[][..], |range| &upserts.spans[range.clone()]);
            self.publish_one(&subscribers, Subject { cluster, journey, spans });
        }
    }

    /// Begins to look; none if too many look already, or if the filter's regular expression is too large.
    pub fn subscribe(&self, filter: &Filter, since: Option<Time>) -> Option<Subscription> {
        let matcher = Matcher::new(filter)?;
        let mut subscribers = self.subscribers();
        subscribers.retain(|subscriber| !subscriber.queue.is_closed());
        if subscribers.len() >= MAX_SUBSCRIBERS {
            self.0.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let (sender, queue) = mpsc::channel(QUEUE);
        let missed = Arc::new(AtomicBool::new(false));
        subscribers.push(Subscriber { matcher, since, queue: sender, missed: Arc::clone(&missed) });
        Some(Subscription { queue, missed })
    }

    /// What it did so far.
    pub fn counts(&self) -> LiveCounts {
        let subscribers = self.subscribers().iter().filter(|subscriber| !subscriber.queue.is_closed()).count();
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        LiveCounts {
            subscribers,
            sent: read(&self.0.sent),
            dropped: read(&self.0.dropped),
            refused: read(&self.0.refused),
        }
    }

    /// The row is made once, for the first reader that wants it.
    fn publish_one(&self, subscribers: &[Subscriber], subject: Subject<'_>) {
        let mut row: Option<Arc<str>> = None;
        let mut about: Option<Arc<About>> = None;
        let mut about = || Arc::clone(about.get_or_insert_with(|| Arc::new(about_of(&subject))));
        for subscriber in subscribers {
            match subscriber.verdict(&subject) {
                Verdict::Yes => {
                    let row = row.get_or_insert_with(|| row_json(&subject, &self.0.usual));
                    let row = Arc::clone(row);
                    self.tell(subscriber, Event::Journey(row, about()));
                }
                Verdict::NoLonger => self.tell(subscriber, Event::Left(about())),
                Verdict::No => {}
            }
        }
    }

    fn tell(&self, subscriber: &Subscriber, event: Event) {
        self.0.sent.fetch_add(1, Ordering::Relaxed);
        subscriber.tell(event, &self.0.dropped);
    }

    /// A reader that panicked leaves the list as whole as it was.
    fn subscribers(&self) -> MutexGuard<'_, Vec<Subscriber>> {
        self.0.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the spans of each journey are: the weaver gives them next to each other.
fn ranges(spans: &[Span]) -> HashMap<TraceId, Range<usize>> {
    let mut ranges = HashMap::new();
    let mut from = 0;
    for run in spans.chunk_by(|one, other| one.trace_id == other.trace_id) {
        ranges.entry(run[0].trace_id).or_insert(from..from + run.len());
        from += run.len();
    }
    ranges
}

fn about_of(subject: &Subject<'_>) -> About {
    let needs = Right::needed(subject.journey).into_iter().collect();
    About { journey: subject.journey.journey, cluster: subject.cluster.into(), needs }
}

fn row_json(subject: &Subject<'_>, usual: &UsualDurations) -> Arc<str> {
    let errors = subject.spans.iter().filter(|span| span.status.code == StatusCode::Error).count() as u64;
    let usual = usual.last().of(subject.cluster, subject.journey);
    let row = Row::of(subject.cluster, subject.journey, errors, usual);
    serde_json::to_string(&row).unwrap_or_default().into()
}
