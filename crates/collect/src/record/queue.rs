//! The queue between a source and the writer of its file: bounded in bytes, so that a slow disk slows the source.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use super::counts::Counts;
use super::file::{CaptureFile, FileSummary};
use crate::CollectError;
use crate::capture::Source;

/// How much may wait for the writer, in bytes and in lines.
const MAX_BYTES: usize = 64 * 1024 * 1024;
const MAX_LINES: usize = 16 * 1024;
/// Lines taken at once.
const BATCH: usize = 512;
/// A kill loses no more than this.
const FLUSH_EVERY: Duration = Duration::from_millis(500);

/// The writers of a recording; one that ends before its queue does has failed.
pub type Writers = JoinSet<Result<FileSummary, CollectError>>;

/// The recording has ended, or its disk is full: nothing more is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the recording has ended")]
pub struct Stopped;

struct Queued {
    line: String,
    /// Given back when the line is written.
    _room: OwnedSemaphorePermit,
}

/// Where a source puts its lines.
#[derive(Clone)]
pub struct LineQueue {
    source: Source,
    sender: mpsc::Sender<Queued>,
    room: Arc<Semaphore>,
    counts: Arc<Counts>,
}

impl LineQueue {
    /// Starts the writer of a file; it ends the file when `close` becomes true, whoever still holds the queue.
    pub fn start(file: CaptureFile, counts: Arc<Counts>, close: watch::Receiver<bool>, writers: &mut Writers) -> Self {
        let (sender, receiver) = mpsc::channel(MAX_LINES);
        let source = file.source();
        writers.spawn(write(receiver, file, close));
        let room = Arc::new(Semaphore::new(MAX_BYTES));
        Self { source, sender, room, counts }
    }

    /// Waits for room and queues a line.
    pub async fn send(&self, line: String) -> Result<(), Stopped> {
        let bytes = line.len();
        let wanted = u32::try_from(bytes.clamp(1, MAX_BYTES)).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).acquire_many_owned(wanted).await.map_err(|_| Stopped)?;
        self.sender.send(Queued { line, _room: room }).await.map_err(|_| Stopped)?;
        self.counts.of(self.source).add_line(bytes);
        Ok(())
    }

    /// Counts lines that were not kept.
    pub fn count_bad(&self, lines: u64) {
        self.counts.of(self.source).add_bad(lines);
    }

    /// The counters of the whole recording.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}

async fn write(
    mut queue: mpsc::Receiver<Queued>,
    mut file: CaptureFile,
    mut close: watch::Receiver<bool>,
) -> Result<FileSummary, CollectError> {
    let mut batch = Vec::with_capacity(BATCH);
    let mut flush = interval(FLUSH_EVERY);
    flush.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut open = true;
    loop {
        tokio::select! {
            taken = queue.recv_many(&mut batch, BATCH) => {
                if taken == 0 {
                    return off_the_runtime(move || file.finish()).await;
                }
                let lines = std::mem::take(&mut batch);
                file = off_the_runtime(move || write_batch(file, lines)).await?;
            }
            // What is queued is still written.
            () = closed(&mut close), if open => {
                open = false;
                queue.close();
            }
            _ = flush.tick() => file = off_the_runtime(move || flushed(file)).await?,
        }
    }
}

async fn closed(close: &mut watch::Receiver<bool>) {
    let _ = close.wait_for(|close| *close).await;
}

fn write_batch(mut file: CaptureFile, lines: Vec<Queued>) -> Result<CaptureFile, CollectError> {
    for queued in lines {
        file.write_line(&queued.line)?;
    }
    Ok(file)
}

fn flushed(mut file: CaptureFile) -> Result<CaptureFile, CollectError> {
    file.flush()?;
    Ok(file)
}

/// Compression and the disk block: the sources must go on meanwhile.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CollectError> + Send + 'static,
) -> Result<T, CollectError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| CollectError::WriterEnded)?
}
