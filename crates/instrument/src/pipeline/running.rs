//! The loop of the export thread: what it waits for, and what it does then.

use super::worker::{Job, Stop};
use std::sync::mpsc as std_mpsc;
use std::time::Instant;
use tokio::sync::{mpsc, watch};

/// The export thread at work.
pub(super) struct Running {
    pub(super) job: Job,
    pub(super) stop: watch::Receiver<Option<Stop>>,
}

enum Wake {
    Batch,
    Delay,
    Flush(std_mpsc::SyncSender<()>),
    Metrics,
    Stop,
}

impl Running {
    pub(super) fn new(job: Job, stop: watch::Receiver<Option<Stop>>) -> Self {
        Self { job, stop }
    }

    /// Works until a stop is asked for.
    pub(super) async fn run(mut self, mut flushes: mpsc::Receiver<std_mpsc::SyncSender<()>>) {
        self.prepare();
        let mut next_metrics = self.job.metrics_every.map(|every| tokio::time::Instant::now() + every);
        loop {
            match self.wait(&mut flushes, next_metrics).await {
                Wake::Batch => self.export_next().await,
                Wake::Delay => self.drain().await,
                Wake::Flush(done) => {
                    self.drain().await;
                    let _ = done.send(());
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
        // In this order: a flush is not kept waiting by spans that keep ending.
        tokio::select! {
            biased;
            _ = self.stop.changed() => Wake::Stop,
            flush = flushes.recv() => flush.map_or(Wake::Stop, Wake::Flush),
            () = until(metrics) => Wake::Metrics,
            () = self.job.queue.full_batch() => Wake::Batch,
            () = tokio::time::sleep(self.job.batching.delay) => Wake::Delay,
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

    /// Exports all that waits now; it comes to an end also when spans keep ending meanwhile.
    async fn drain(&mut self) {
        let mut left = self.job.queue.batches_to_drain();
        while left > 0 && !self.job.queue.is_empty() && !self.hands_over() {
            self.export_next().await;
            left -= 1;
        }
        self.unspool().await;
    }

    async fn export_metrics(&self) {
        let snapshot = crate::metrics::Snapshot::of(&self.job.queue, self.job.exporter.target());
        let Some(export) = self.job.exporter.export_metrics(&snapshot, &self.job.resource) else { return };
        if let Ok(Err(error)) = tokio::time::timeout(self.job.batching.timeout, export).await {
            tracing::debug!(target: "clew_instrument", %error, "exporting own metrics failed");
        }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.stop.borrow().map(|stop| stop.deadline)
    }

    pub(super) fn hands_over(&self) -> bool {
        self.stop.borrow().is_some_and(|stop| !stop.drain)
    }
}

async fn until(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
