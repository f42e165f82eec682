//! The way to one endpoint: from disk, one request at a time, until it is taken.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clew_model::TraceId;
use clew_store::{Record, Store};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use tokio::sync::{Notify, watch};

use super::backoff::Backoff;
use super::channel::{Client, Failure};
use super::counts::{LaneCounts, Shared};
use super::note::Note;
use super::settings::{Endpoint, Settings};
use super::spool::{Oldest, Spool};
use super::taken::{self, Mark, Taken};
use crate::CollectError;
use crate::replica::Leadership;

/// The file, beside an endpoint's requests, of what it took.
const TAKEN: &str = "taken";

/// An endpoint with what waits for it.
#[derive(Clone)]
pub(super) struct Lane {
    /// The folder's name, by which the other replicas know it, too.
    name: String,
    spool: Arc<Mutex<Spool>>,
    counts: Shared<LaneCounts>,
    more: Arc<Notify>,
    /// What the endpoint took; only where several replicas forward to it.
    taken: Option<Shared<Taken>>,
    is_sending: Arc<AtomicBool>,
}

/// What a lane sends with.
struct Sender {
    client: Client,
    backoff: Backoff,
    leadership: Leadership,
    store: Arc<dyn Store>,
}

impl Lane {
    /// Opens what waits; begins to send.
    pub(super) fn start(
        endpoint: &Endpoint,
        settings: &Settings,
        store: Arc<dyn Store>,
        stop: watch::Receiver<bool>,
        tasks: &mut tokio::task::JoinSet<()>,
    ) -> Result<Self, CollectError> {
        let client = Client::new(endpoint, settings.timeout)?;
        // By its address: a restart with other endpoints, or in another order, finds what waits for each.
        let name = blake3::hash(endpoint.url.as_bytes()).to_hex().as_str()[..16].to_owned();
        let folder = settings.folder.join(&name);
        let failed = |source| CollectError::Write { path: folder.clone(), source };
        let spool = Spool::open(folder.clone(), settings.spool_bytes).map_err(failed)?;
        let taken = match &settings.leadership {
            Some(_) => Some(Shared::new(Taken::open(&folder.join(TAKEN)).map_err(failed)?)),
            None => None,
        };
        let lane = Self {
            name,
            spool: Arc::new(Mutex::new(spool)),
            counts: Shared::new(LaneCounts { url: endpoint.url.clone(), ..LaneCounts::default() }),
            more: Arc::new(Notify::new()),
            taken,
            is_sending: Arc::default(),
        };
        let backoff = Backoff::new(settings.first_pause, settings.longest_pause);
        let leadership = settings.leadership.clone().unwrap_or_else(Leadership::always);
        tasks.spawn(lane.clone().run(Sender { client, backoff, leadership, store }, stop));
        Ok(lane)
    }

    /// Keeps a request until it is sent. Blocks for the disk.
    pub(super) fn put(&self, request: &[u8], spans: u64) {
        let kept = self.with_spool(|spool| spool.put(request, spans));
        let reason = match kept {
            Ok(true) => return self.more.notify_one(),
            Ok(false) => "spool_full",
            Err(error) => {
                self.counts.lock().last_error = Some(format!("cannot keep a request on disk: {error}"));
                "disk"
            }
        };
        *self.counts.lock().dropped.entry(reason).or_default() += spans;
    }

    /// Takes back all that waits; gives the journeys that it is of. Blocks for the disk.
    pub(super) fn withdraw(&self) -> BTreeSet<TraceId> {
        let mut journeys = BTreeSet::new();
        while let Some(oldest) = self.with_spool(|spool| spool.oldest()) {
            if let Some(request) = decode(&oldest) {
                journeys.extend(taken::marks(&request).1);
            }
            self.with_spool(|spool| spool.forget(oldest.number));
        }
        journeys
    }

    /// Whether the endpoint has all these spans in this form.
    pub(super) fn has_all(&self, marks: &[Mark]) -> bool {
        self.taken.as_ref().is_some_and(|taken| taken.lock().has_all(marks))
    }

    /// Learns what another replica sent, if it is this endpoint that took it.
    pub(super) fn learn(&self, note: &Note) {
        if note.endpoint == self.name
            && let Some(taken) = &self.taken
        {
            taken.lock().add(&note.marks);
        }
    }

    /// The counts now.
    pub(super) fn counts(&self) -> LaneCounts {
        let (spans, bytes) = self.with_spool(|spool| spool.waiting());
        LaneCounts { waiting_spans: spans, waiting_bytes: bytes, ..self.counts.lock().clone() }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.with_spool(|spool| spool.waiting().0 == 0)
    }

    /// Whether a request is under way.
    pub(super) fn is_sending(&self) -> bool {
        self.is_sending.load(Ordering::Acquire)
    }

    fn with_spool<T>(&self, work: impl FnOnce(&mut Spool) -> T) -> T {
        work(&mut self.spool.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn run(self, mut sender: Sender, mut stop: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                () = sender.leadership.begins() => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
            let lane = self.clone();
            let oldest = tokio::task::spawn_blocking(move || lane.with_spool(|spool| spool.oldest())).await;
            let wait = match oldest.ok().flatten() {
                Some(oldest) => {
                    self.is_sending.store(true, Ordering::Release);
                    let wait = self.attempt(&mut sender, oldest).await;
                    self.is_sending.store(false, Ordering::Release);
                    match wait {
                        None if !*stop.borrow() => continue,
                        pause => pause,
                    }
                }
                None => None,
            };
            tokio::select! {
                () = pause(wait) => {}
                () = self.more.notified(), if wait.is_none() => {}
                () = sender.leadership.ends() => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }

    /// Sends a request; how long to wait if it is to be sent again.
    async fn attempt(&self, sender: &mut Sender, oldest: Oldest) -> Option<Duration> {
        let Some(mut request) = decode(&oldest) else {
            self.lost("damaged", "a request on disk cannot be read".to_owned(), oldest.spans);
            return self.forget(oldest.number).await;
        };
        let (mut spans, mut told) = (oldest.spans, None);
        if let Some(taken) = &self.taken {
            spans = taken.lock().leave_news(&mut request);
            told = Some(taken::marks(&request));
        }
        if spans == 0 {
            return self.forget(oldest.number).await;
        }
        // Another replica may lead when this time is over.
        let remaining = sender.leadership.remaining();
        if remaining.is_zero() {
            return Some(Duration::ZERO);
        }
        match sender.client.send(request, remaining).await {
            Ok(rejected) => {
                sender.backoff.reset();
                self.took(spans, rejected);
                if let Some((marks, journeys)) = told {
                    self.tell(&sender.store, marks, journeys).await;
                }
            }
            Err(failure) if failure.retryable => {
                let mut counts = self.counts.lock();
                counts.retries += 1;
                counts.last_error = Some(failure.message);
                return Some(sender.backoff.pause(failure.after, fastrand::f64()));
            }
            Err(Failure { kind, message, .. }) => self.lost(kind, message, spans),
        }
        self.forget(oldest.number).await
    }

    fn took(&self, spans: u64, rejected: u64) {
        let mut counts = self.counts.lock();
        counts.sent += spans.saturating_sub(rejected);
        counts.rejected += rejected;
        counts.last_error = None;
    }

    fn lost(&self, kind: &'static str, message: String, spans: u64) {
        let mut counts = self.counts.lock();
        *counts.dropped.entry(kind).or_default() += spans;
        counts.last_error = Some(message);
    }

    /// Remembers what was taken, and tells the other replicas. What cannot be told they send again, as it is.
    async fn tell(&self, store: &Arc<dyn Store>, marks: Vec<Mark>, journeys: Vec<TraceId>) {
        if let Some(taken) = &self.taken {
            taken.lock().add(&marks);
        }
        let note = Note { endpoint: self.name.clone(), marks, journeys };
        if let Err(error) = store.append(vec![Record::Delivered(note.encode().into())]).await {
            self.counts.lock().last_error = Some(format!("cannot tell the other replicas what was sent: {error}"));
        }
    }

    async fn forget(&self, number: u64) -> Option<Duration> {
        let lane = self.clone();
        let _ = tokio::task::spawn_blocking(move || lane.with_spool(|spool| spool.forget(number))).await;
        None
    }
}

fn decode(oldest: &Oldest) -> Option<ExportTraceServiceRequest> {
    ExportTraceServiceRequest::decode(oldest.request.as_deref()?).ok()
}

/// Waits for so long, or for ever.
async fn pause(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}
