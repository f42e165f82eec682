//! The thread that exports. It has its own runtime, so a flush works wherever it is called: on a one-worker runtime,
//! in a signal handler's thread, while panicking.

use super::queue::Queue;
use super::retry::Backoff;
use super::settings::{Batching, Retrying};
use super::spool::Spool;
use crate::attribute::Attribute;
use crate::error::Error;
use crate::export::{Batch, ExportError, Exported, Exporter};
use crate::sync::lock;
use std::borrow::Cow;
use std::sync::mpsc as std_mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// The most flushes that wait at once; each waits in a thread of its caller's.
const MAX_FLUSHES: usize = 64;

/// What a worker works with.
pub(crate) struct Job {
    pub(crate) queue: Arc<Queue>,
    pub(crate) exporter: Arc<dyn Exporter>,
    pub(crate) resource: Arc<Vec<Attribute>>,
    pub(crate) batching: Batching,
    pub(crate) retrying: Retrying,
    pub(crate) spool: Option<Arc<Mutex<Spool>>>,
    /// How often this component's own metrics are sent along; none for never.
    pub(crate) metrics_every: Option<Duration>,
}

/// How a worker is to end.
#[derive(Clone, Copy)]
struct Stop {
    deadline: Instant,
    /// Whether what waits is exported first; a successor would do it otherwise.
    drain: bool,
}

/// The handle of an export thread.
pub(crate) struct Worker {
    flushes: mpsc::Sender<std_mpsc::SyncSender<()>>,
    stop: watch::Sender<Option<Stop>>,
    done: std_mpsc::Receiver<()>,
}

impl Worker {
    /// Starts the thread.
    pub(crate) fn start(job: Job) -> Result<Self, Error> {
        let (flushes, flush_requests) = mpsc::channel(MAX_FLUSHES);
        let (stop, stop_request) = watch::channel(None);
        let (finished, done) = std_mpsc::sync_channel(1);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Thread)?;
        std::thread::Builder::new()
            .name("clew-export".to_owned())
            .spawn(move || {
                runtime.block_on(Running { job, stop: stop_request }.run(flush_requests));
                // A name lookup that hangs in the runtime's pool must not hold up the end.
                runtime.shutdown_background();
                let _ = finished.send(());
            })
            .map_err(Error::Thread)?;
        Ok(Self { flushes, stop, done })
    }

    /// Waits until what has ended by now is exported, at most `within`; says whether it was.
    pub(crate) fn flush(&self, within: Duration) -> bool {
        let (flushed, wait) = std_mpsc::sync_channel(1);
        self.flushes.try_send(flushed).is_ok() && wait.recv_timeout(within).is_ok()
    }

    /// Exports what waits and ends; waits for it, and says whether it came in time.
    pub(crate) fn stop(&self, within: Duration) -> bool {
        let _ = self.stop.send(Some(Stop { deadline: Instant::now() + within, drain: true }));
        // A little longer than the worker's own limit, so that it can book what it gave up.
        self.done.recv_timeout(within + Duration::from_millis(250)).is_ok()
    }

    /// Ends after the batch in flight, without anyone waiting for it: a successor takes over the queue.
    pub(crate) fn hand_over(&self, within: Duration) {
        let _ = self.stop.send(Some(Stop { deadline: Instant::now() + within, drain: false }));
    }
}

struct Running {
    job: Job,
    stop: watch::Receiver<Option<Stop>>,
}

enum Wake {
    Batch,
    Delay,
    Flush(std_mpsc::SyncSender<()>),
    Metrics,
    Stop,
}

impl Running {
    async fn run(mut self, mut flushes: mpsc::Receiver<std_mpsc::SyncSender<()>>) {
        self.prepare();
        let mut next_metrics = self.job.metrics_every.map(|every| tokio::time::Instant::now() + every);
        loop {
            match self.wait(&mut flushes, next_metrics).await {
                Wake::Batch => {
                    while self.job.queue.has_batch() && !self.hands_over() {
                        self.export_next().await;
                    }
                }
                Wake::Delay => self.drain().await,
                Wake::Flush(flushed) => {
                    self.drain().await;
                    let _ = flushed.send(());
                }
                Wake::Metrics => {
                    self.export_metrics().await;
                    next_metrics = self.job.metrics_every.map(|every| tokio::time::Instant::now() + every);
                }
                Wake::Stop => return self.finish(&mut flushes).await,
            }
        }
    }

    async fn wait(
        &mut self,
        flushes: &mut mpsc::Receiver<std_mpsc::SyncSender<()>>,
        metrics: Option<tokio::time::Instant>,
    ) -> Wake {
        if self.deadline().is_some() {
            return Wake::Stop;
        }
        tokio::select! {
            () = self.job.queue.woken() => Wake::Batch,
            () = tokio::time::sleep(self.job.batching.delay) => Wake::Delay,
            flush = flushes.recv() => flush.map_or(Wake::Stop, Wake::Flush),
            () = until(metrics) => Wake::Metrics,
            _ = self.stop.changed() => Wake::Stop,
        }
    }

    /// Opens the connection before there are spans, as KEP-2831 has it for a rate of 0.
    fn prepare(&self) {
        if let Some(connect) = self.job.exporter.connect() {
            tokio::spawn(connect);
        }
    }

    async fn finish(&mut self, flushes: &mut mpsc::Receiver<std_mpsc::SyncSender<()>>) {
        let drain = self.stop.borrow().is_none_or(|stop| stop.drain);
        if drain {
            self.drain().await;
        }
        if self.job.metrics_every.is_some() {
            self.export_metrics().await;
        }
        flushes.close();
        while let Ok(flushed) = flushes.try_recv() {
            let _ = flushed.send(());
        }
    }

    /// Exports all that waits now; spans that end meanwhile are part of it, up to the time limit of a stop.
    async fn drain(&mut self) {
        while !self.job.queue.is_empty() && !self.hands_over() {
            self.export_next().await;
        }
        self.unspool().await;
    }

    async fn export_next(&mut self) {
        let spans = self.job.queue.take();
        if spans.is_empty() {
            return;
        }
        let batch = Arc::new(Batch { resource: Arc::clone(&self.job.resource), spans });
        match self.with_retries(&batch).await {
            Ok(exported) => self.settle(&batch, &exported),
            Err(error) => self.give_up(&batch, error),
        }
    }

    async fn with_retries(&mut self, batch: &Arc<Batch>) -> Result<Exported, ExportError> {
        let began = Instant::now();
        let mut backoff = Backoff::new(self.job.retrying);
        loop {
            let error = match self.attempt(batch).await {
                Ok(exported) => return Ok(exported),
                Err(error) => error,
            };
            if !error.retryable {
                return Err(error);
            }
            let Some(pause) = backoff.pause(began.elapsed(), error.retry_after, fastrand::f64()) else {
                return Err(error);
            };
            if !self.pause(pause).await {
                return Err(error);
            }
            self.job.queue.retried();
        }
    }

    /// One attempt, with a time limit, in a task of its own so that an exporter's panic ends only the attempt.
    async fn attempt(&self, batch: &Arc<Batch>) -> Result<Exported, ExportError> {
        let limit = match self.deadline() {
            Some(deadline) => self.job.batching.timeout.min(deadline.saturating_duration_since(Instant::now())),
            None => self.job.batching.timeout,
        };
        let began = Instant::now();
        let (exporter, batch) = (Arc::clone(&self.job.exporter), Arc::clone(batch));
        let mut task = tokio::spawn(async move { exporter.export(batch).await });
        let mut stop = self.stop.clone();
        let outcome = tokio::select! {
            outcome = &mut task => match outcome {
                Ok(outcome) => outcome,
                Err(_) => Err(ExportError::fatal("panic", "the exporter panicked: look at the panic message above")),
            },
            () = tokio::time::sleep(limit) => timed_out(&task, limit),
            // A stop that comes while a collector hangs shortens the wait.
            () = stopped(&mut stop) => timed_out(&task, limit),
        };
        let failure = outcome.as_ref().err().map(|error| error.kind.clone());
        self.job.queue.durations().record(began.elapsed(), failure);
        outcome
    }

    /// Waits before the next attempt; false when a stop's time limit came first.
    async fn pause(&mut self, pause: Duration) -> bool {
        let end = Instant::now() + pause;
        loop {
            let deadline = self.deadline();
            let until = deadline.map_or(end, |deadline| deadline.min(end));
            tokio::select! {
                () = tokio::time::sleep_until(until.into()) => return deadline.is_none_or(|deadline| end < deadline),
                changed = self.stop.changed() => {
                    if changed.is_err() {
                        return false;
                    }
                }
            }
        }
    }

    fn settle(&self, batch: &Batch, exported: &Exported) {
        let total = batch.spans.len() as u64;
        let rejected = exported.rejected.min(total);
        if rejected > 0 {
            tracing::warn!(target: "clew_instrument", rejected, message = exported.message, "the collector refused spans");
        }
        self.job.queue.settle(total - rejected, rejected, Cow::Borrowed("rejected"));
    }

    fn give_up(&self, batch: &Batch, error: ExportError) {
        let count = batch.spans.len() as u64;
        if error.retryable {
            if let Some(spool) = &self.job.spool {
                match lock(spool).put(batch) {
                    Ok(()) => return self.job.queue.spooled(count),
                    Err(reason) => {
                        tracing::warn!(target: "clew_instrument", spans = count, %reason, "spooling spans failed");
                        return self.job.queue.settle(0, count, Cow::Borrowed("spool_full"));
                    }
                }
            }
        }
        tracing::warn!(target: "clew_instrument", spans = count, kind = %error.kind, %error, "spans are lost");
        self.job.queue.settle(0, count, error.kind);
    }

    /// Sends what is on disk, oldest first, as long as the collector takes it.
    async fn unspool(&mut self) {
        while self.deadline().is_none() {
            let oldest = self.job.spool.as_ref().and_then(|spool| lock(spool).oldest());
            let Some(next) = oldest else { return };
            self.job.queue.unspooled(next.spans);
            let Some(batch) = next.batch else {
                self.job.queue.settle(0, next.spans, Cow::Borrowed("spool_corrupt"));
                self.forget_oldest();
                continue;
            };
            match self.attempt(&Arc::new(batch)).await {
                Ok(exported) => {
                    let rejected = exported.rejected.min(next.spans);
                    self.job.queue.settle(next.spans - rejected, rejected, Cow::Borrowed("rejected"));
                }
                Err(error) if error.retryable => {
                    self.job.queue.spooled(next.spans);
                    return;
                }
                Err(error) => self.job.queue.settle(0, next.spans, error.kind),
            }
            self.forget_oldest();
        }
    }

    fn forget_oldest(&self) {
        if let Some(spool) = &self.job.spool {
            lock(spool).forget_oldest();
        }
    }

    async fn export_metrics(&self) {
        let snapshot = crate::metrics::Snapshot::of(&self.job.queue, self.job.exporter.target());
        let Some(export) = self.job.exporter.export_metrics(&snapshot, &self.job.resource) else { return };
        if let Ok(Err(error)) = tokio::time::timeout(self.job.batching.timeout, export).await {
            tracing::debug!(target: "clew_instrument", %error, "exporting own metrics failed");
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.stop.borrow().map(|stop| stop.deadline)
    }

    fn hands_over(&self) -> bool {
        self.stop.borrow().is_some_and(|stop| !stop.drain)
    }
}

fn timed_out(
    task: &tokio::task::JoinHandle<Result<Exported, ExportError>>,
    limit: Duration,
) -> Result<Exported, ExportError> {
    task.abort();
    Err(ExportError::retryable("timeout", format!("the collector did not answer within {limit:?}")))
}

async fn until(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// Resolves at the time limit of a stop, if one is asked for.
async fn stopped(stop: &mut watch::Receiver<Option<Stop>>) {
    loop {
        let asked = *stop.borrow_and_update();
        if let Some(asked) = asked {
            return tokio::time::sleep_until(asked.deadline.into()).await;
        }
        if stop.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}
