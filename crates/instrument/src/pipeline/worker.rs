//! The handle of the thread that exports. It has its own runtime, so a flush works wherever it is called: on a one-worker
//! runtime, in a signal handler's thread, while panicking.

use super::queue::Queue;
use super::running::Running;
use super::settings::{Batching, Retrying};
use super::spool::Spool;
use crate::attribute::Attribute;
use crate::error::Error;
use crate::export::Exporter;
use crate::sync::lock;
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
pub(super) struct Stop {
    pub(super) deadline: Instant,
    /// Whether what waits is exported first; a successor would do it otherwise.
    pub(super) drain: bool,
}

/// The handle of an export thread.
pub(crate) struct Worker {
    flushes: mpsc::Sender<std_mpsc::SyncSender<()>>,
    stop: watch::Sender<Option<Stop>>,
    done: Mutex<std_mpsc::Receiver<()>>,
}

impl Worker {
    /// Starts the thread.
    pub(crate) fn start(job: Job) -> Result<Self, Error> {
        let (flushes, flush_requests) = mpsc::channel(MAX_FLUSHES);
        let (stop, stop_request) = watch::channel(None);
        let (finished, done) = std_mpsc::sync_channel(1);
        let (report, begun) = std_mpsc::sync_channel(1);
        let run = move || {
            // Made where it ends: a runtime must not be dropped within another one, where a caller may be.
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(report.send(Err(error))),
            };
            let _ = report.send(Ok(()));
            runtime.block_on(Running::new(job, stop_request).run(flush_requests));
            // A name lookup that hangs in the runtime's pool must not hold up the end.
            runtime.shutdown_background();
            let _ = finished.send(());
        };
        std::thread::Builder::new().name("clew-export".to_owned()).spawn(run).map_err(Error::Thread)?;
        begun.recv().unwrap_or_else(|error| Err(std::io::Error::other(error))).map_err(Error::Thread)?;
        Ok(Self { flushes, stop, done: Mutex::new(done) })
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
        lock(&self.done).recv_timeout(within + Duration::from_millis(250)).is_ok()
    }

    /// Ends after the batch in flight, without anyone waiting for it: a successor takes over the queue.
    pub(crate) fn hand_over(&self, within: Duration) {
        let _ = self.stop.send(Some(Stop { deadline: Instant::now() + within, drain: false }));
    }
}
