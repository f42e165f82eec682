//! Journeys that ended, until they are settled; then their spans, on the way to each endpoint.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use clew_model::{Span, TraceId};
use clew_store::{JourneyDetail, Store};
use clew_weave::{State, reparent};
use rustc_hash::FxHashSet;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::counts::{Forwarded, Shared};
use super::lane::Lane;
use super::sent::Sent;
use crate::encode::otlp_protobuf;

/// How many journeys may wait to be settled.
pub(super) const MAX_WAITING: usize = 65_536;
/// When to ask a store again that could not answer.
const STORE_PAUSE: Duration = Duration::from_secs(5);

/// Takes journeys from the store and gives them to the lanes.
pub(super) struct Gather {
    pub(super) store: Arc<dyn Store>,
    pub(super) lanes: Vec<Lane>,
    pub(super) counts: Shared<Forwarded>,
    pub(super) sent: Shared<Sent>,
    pub(super) settle: Duration,
    pub(super) batch: usize,
}

/// The journeys that wait, by when they are due.
#[derive(Default)]
struct Waiting {
    known: FxHashSet<TraceId>,
    due: BTreeSet<(Instant, TraceId)>,
}

impl Waiting {
    /// False if there is no room. One that waits already keeps its time: a journey that changes every second goes out too.
    fn add(&mut self, journey: TraceId, due: Instant) -> bool {
        if self.known.contains(&journey) {
            return true;
        }
        if self.known.len() >= MAX_WAITING {
            return false;
        }
        self.known.insert(journey);
        self.due.insert((due, journey));
        true
    }

    fn next(&self) -> Option<Instant> {
        self.due.first().map(|(due, _)| *due)
    }

    fn take(&mut self, now: Option<Instant>) -> Option<TraceId> {
        let first = self.due.first().filter(|(due, _)| now.is_none_or(|now| *due <= now)).copied()?;
        self.due.remove(&first);
        self.known.remove(&first.1);
        Some(first.1)
    }
}

impl Gather {
    /// Forwards what settles until it is stopped, then what has not settled yet.
    pub(super) async fn run(self, mut ended: mpsc::Receiver<TraceId>, mut stop: watch::Receiver<bool>) {
        let mut waiting = Waiting::default();
        loop {
            let next = waiting.next().unwrap_or_else(|| Instant::now() + Duration::from_hours(1));
            tokio::select! {
                journey = ended.recv() => match journey {
                    Some(journey) => self.wait_for(&mut waiting, journey),
                    None => break,
                },
                () = sleep_until(next) => {}
                _ = stop.wait_for(|stop| *stop) => break,
            }
            while let Some(journey) = waiting.take(Some(Instant::now())) {
                self.forward(journey, &mut waiting).await;
            }
            self.counts.lock().waiting = waiting.known.len() as u64;
        }
        while let Ok(journey) = ended.try_recv() {
            self.wait_for(&mut waiting, journey);
        }
        let mut last = Waiting::default();
        while let Some(journey) = waiting.take(None) {
            self.forward(journey, &mut last).await;
        }
    }

    fn wait_for(&self, waiting: &mut Waiting, journey: TraceId) {
        if !waiting.add(journey, Instant::now() + self.settle) {
            self.counts.lock().missed += 1;
        }
    }

    async fn forward(&self, journey: TraceId, waiting: &mut Waiting) {
        let detail = match self.store.journey(journey).await {
            // One that was opened again is told again when it ends; one that became part of another is gone.
            Ok(Some(detail)) if detail.journey.state != State::Open => detail,
            Ok(_) => return,
            Err(_) => {
                self.counts.lock().store_failures += 1;
                waiting.add(journey, Instant::now() + STORE_PAUSE);
                return;
            }
        };
        let (sent, lanes, batch) = (self.sent.clone(), self.lanes.clone(), self.batch.max(1));
        // Hashing thousands of spans and writing them to disk would hold up whoever shares the thread.
        let put = move || {
            let news = sent.lock().news(journey, spans(detail));
            for spans in news.chunks(batch) {
                let request = otlp_protobuf(spans);
                for lane in &lanes {
                    lane.put(&request, spans.len() as u64);
                }
            }
            if !news.is_empty() {
                sent.lock().went_out(journey);
            }
            !news.is_empty()
        };
        if tokio::task::spawn_blocking(put).await.unwrap_or(false) {
            self.counts.lock().journeys += 1;
        }
    }
}

/// All spans of a journey under its one trace id.
fn spans(detail: JourneyDetail) -> Vec<Span> {
    let native = reparent(&detail.native, &detail.edges);
    let mut spans = detail.spans;
    spans.extend(native);
    spans
}
