//! Journeys that ended, until they are settled; then their spans, on the way to each endpoint.

use std::sync::Arc;
use std::time::Duration;

use clew_model::{Span, TraceId};
use clew_store::{JourneyDetail, Store};
use clew_weave::{State, reparent};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::counts::{Forwarded, Shared};
use super::lane::Lane;
use super::sent::Sent;
use super::taken;
use super::waiting::{Held, Waiting};
use crate::encode::{otlp_protobuf, otlp_request};
use crate::replica::Leadership;

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
    /// Which of several replicas forwards; none for one that is alone.
    pub(super) leadership: Option<Leadership>,
}

/// What a forwarder is told.
pub(super) struct Told {
    /// Journeys that ended.
    pub(super) ended: mpsc::Receiver<TraceId>,
    /// Journeys of which another replica delivered something.
    pub(super) delivered: mpsc::Receiver<Vec<TraceId>>,
    /// When to stop.
    pub(super) stop: watch::Receiver<bool>,
}

impl Gather {
    /// Forwards what settles until it is stopped, then what has not settled yet.
    pub(super) async fn run(self, told: Told) {
        let Told { mut ended, mut delivered, mut stop } = told;
        let (mut waiting, mut held) = (Waiting::default(), Held::default());
        let mut leadership = self.leadership.clone().unwrap_or_else(Leadership::always);
        // What an earlier run left goes out from here only if this replica leads.
        let mut led = true;
        loop {
            let leads = leadership.is_leading();
            if leads != led {
                self.change(leads, &mut waiting, &mut held).await;
                led = leads;
            }
            self.count(&waiting, &held);
            let next = waiting.next().unwrap_or_else(|| Instant::now() + Duration::from_hours(1));
            let mut sent_elsewhere = Vec::new();
            tokio::select! {
                journey = ended.recv() => match journey {
                    Some(journey) => self.wait_for(&mut waiting, journey),
                    None => break,
                },
                Some(journeys) = delivered.recv() => sent_elsewhere = journeys,
                () = sleep_until(next) => {}
                () = changes(&mut leadership, leads) => {}
                _ = stop.wait_for(|stop| *stop) => break,
            }
            self.let_go(sent_elsewhere, &mut held).await;
            while let Some(journey) = waiting.take(Some(Instant::now())) {
                if leadership.is_leading() {
                    self.forward(journey, &mut waiting).await;
                } else {
                    self.hold(journey, &mut held);
                }
            }
        }
        // Another replica has them, and this one is told of them again.
        if self.leadership.is_some() {
            return;
        }
        while let Ok(journey) = ended.try_recv() {
            self.wait_for(&mut waiting, journey);
        }
        let mut last = Waiting::default();
        while let Some(journey) = waiting.take(None) {
            self.forward(journey, &mut last).await;
        }
    }

    fn count(&self, waiting: &Waiting, held: &Held) {
        let mut counts = self.counts.lock();
        counts.waiting = waiting.len() as u64;
        counts.held = held.len() as u64;
    }

    fn wait_for(&self, waiting: &mut Waiting, journey: TraceId) {
        if !waiting.add(journey, Instant::now() + self.settle) {
            self.counts.lock().missed += 1;
        }
    }

    fn hold(&self, journey: TraceId, held: &mut Held) {
        if !held.add(journey) {
            self.counts.lock().missed += 1;
        }
    }

    /// This replica leads from now on, or no longer.
    async fn change(&self, leads: bool, waiting: &mut Waiting, held: &mut Held) {
        if leads {
            for journey in held.take_all() {
                if !waiting.add(journey, Instant::now()) {
                    self.counts.lock().missed += 1;
                }
            }
            return;
        }
        // As it would go out now it may be outdated when this replica leads again: then it is asked for anew.
        for lane in self.lanes.clone() {
            let withdrawn = tokio::task::spawn_blocking(move || lane.withdraw()).await.unwrap_or_default();
            for journey in withdrawn {
                self.sent.lock().forget(journey);
                self.hold(journey, held);
            }
        }
    }

    /// Lets go of journeys that the endpoints have as they are here.
    async fn let_go(&self, journeys: Vec<TraceId>, held: &mut Held) {
        for journey in journeys {
            if !held.contains(journey) {
                continue;
            }
            let is_there = match self.store.journey(journey).await {
                Ok(Some(detail)) if detail.journey.state != State::Open => {
                    let lanes = self.lanes.clone();
                    let compare = move || {
                        let (marks, _) = taken::marks(&otlp_request(&spans(detail)));
                        lanes.iter().all(|lane| lane.has_all(&marks))
                    };
                    tokio::task::spawn_blocking(compare).await.unwrap_or(false)
                }
                // It is told again when it ends, or is gone.
                Ok(_) => true,
                Err(_) => false,
            };
            if is_there {
                held.remove(journey);
            }
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

/// Returns when it is no longer as it was.
async fn changes(leadership: &mut Leadership, leads: bool) {
    if leads {
        leadership.ends().await;
    } else {
        leadership.begins().await;
    }
}

/// All spans of a journey under its one trace id.
fn spans(detail: JourneyDetail) -> Vec<Span> {
    let mut spans = detail.spans;
    spans.extend(reparent(detail.native, &detail.edges));
    spans
}
