//! The way to one endpoint: from disk, one request at a time, until it is taken.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::backoff::Backoff;
use super::channel::{Client, Failure};
use super::counts::{LaneCounts, Shared};
use super::settings::{Endpoint, Settings};
use super::spool::{Oldest, Spool};
use crate::CollectError;

/// An endpoint with what waits for it.
#[derive(Clone)]
pub(super) struct Lane {
    spool: Arc<Mutex<Spool>>,
    counts: Shared<LaneCounts>,
    more: Arc<Notify>,
}

impl Lane {
    /// Opens what waits; begins to send.
    pub(super) fn start(
        endpoint: &Endpoint,
        settings: &Settings,
        stop: watch::Receiver<bool>,
        tasks: &mut tokio::task::JoinSet<()>,
    ) -> Result<Self, CollectError> {
        let client = Client::new(endpoint, settings.timeout)?;
        // By its address: a restart with other endpoints, or in another order, finds what waits for each.
        let name = blake3::hash(endpoint.url.as_bytes()).to_hex();
        let folder = settings.folder.join(&name.as_str()[..16]);
        let failed = |source| CollectError::Write { path: folder.clone(), source };
        let spool = Spool::open(folder.clone(), settings.spool_bytes).map_err(failed)?;
        let counts = Shared::new(LaneCounts { url: endpoint.url.clone(), ..LaneCounts::default() });
        let lane = Self { spool: Arc::new(Mutex::new(spool)), counts, more: Arc::new(Notify::new()) };
        let backoff = Backoff::new(settings.first_pause, settings.longest_pause);
        tasks.spawn(lane.clone().run(client, backoff, stop));
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

    /// The counts now.
    pub(super) fn counts(&self) -> LaneCounts {
        let (spans, bytes) = self.with_spool(|spool| spool.waiting());
        LaneCounts { waiting_spans: spans, waiting_bytes: bytes, ..self.counts.lock().clone() }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.with_spool(|spool| spool.waiting().0 == 0)
    }

    fn with_spool<T>(&self, work: impl FnOnce(&mut Spool) -> T) -> T {
        work(&mut self.spool.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn run(self, mut client: Client, mut backoff: Backoff, mut stop: watch::Receiver<bool>) {
        loop {
            let lane = self.clone();
            let oldest = tokio::task::spawn_blocking(move || lane.with_spool(|spool| spool.oldest())).await;
            let wait = match oldest.ok().flatten() {
                Some(oldest) => match self.attempt(&mut client, oldest, &mut backoff).await {
                    None => continue,
                    pause => pause,
                },
                None => None,
            };
            tokio::select! {
                () = pause(wait) => {}
                () = self.more.notified(), if wait.is_none() => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }

    /// Sends a request; how long to wait if it is to be sent again.
    async fn attempt(&self, client: &mut Client, oldest: Oldest, backoff: &mut Backoff) -> Option<Duration> {
        let Oldest { spans, request } = oldest;
        let outcome = match &request {
            Some(request) => client.send(request).await,
            None => Err(Failure {
                kind: "damaged",
                message: "a request on disk cannot be read".to_owned(),
                retryable: false,
                after: None,
            }),
        };
        match outcome {
            Ok(rejected) => {
                let mut counts = self.counts.lock();
                counts.sent += spans.saturating_sub(rejected);
                counts.rejected += rejected;
                counts.last_error = None;
                backoff.reset();
            }
            Err(failure) if failure.retryable => {
                let mut counts = self.counts.lock();
                counts.retries += 1;
                counts.last_error = Some(failure.message);
                return Some(backoff.pause(failure.after, fastrand::f64()));
            }
            Err(failure) => {
                let mut counts = self.counts.lock();
                *counts.dropped.entry(failure.kind).or_default() += spans;
                counts.last_error = Some(failure.message);
            }
        }
        let lane = self.clone();
        let _ = tokio::task::spawn_blocking(move || lane.with_spool(Spool::forget_oldest)).await;
        None
    }
}

/// Waits for so long, or for ever.
async fn pause(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}
