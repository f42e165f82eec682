//! How the export thread gets one batch out: attempts, pauses, and what happens when it gives up.

use super::retry::Backoff;
use super::running::Running;
use super::worker::Stop;
use crate::export::{Batch, ExportError, Exported};
use crate::sync::lock;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

impl Running {
    /// Exports the next batch of the queue.
    pub(super) async fn export_next(&mut self) {
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
        if error.retryable
            && let Some(spool) = &self.job.spool
        {
            match lock(spool).put(batch) {
                Ok(()) => return self.job.queue.spooled(count),
                Err(reason) => {
                    tracing::warn!(target: "clew_instrument", spans = count, %reason, "spooling spans failed");
                    return self.job.queue.settle(0, count, Cow::Borrowed("spool_full"));
                }
            }
        }
        tracing::warn!(target: "clew_instrument", spans = count, kind = %error.kind, %error, "spans are lost");
        self.job.queue.settle(0, count, error.kind);
    }

    /// Sends what is on disk, oldest first, as long as the collector takes it.
    pub(super) async fn unspool(&mut self) {
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
}

fn timed_out(
    task: &tokio::task::JoinHandle<Result<Exported, ExportError>>,
    limit: Duration,
) -> Result<Exported, ExportError> {
    task.abort();
    Err(ExportError::retryable("timeout", format!("the collector did not answer within {limit:?}")))
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
