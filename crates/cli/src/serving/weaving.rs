//! The weaving on a thread of its own, since it computes more than it waits.

use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use clew_collect::intake::Work;
use clew_collect::weaving::Loom;
use tokio::sync::{mpsc, watch};

/// How often the thread is looked after.
const LOOK: Duration = Duration::from_secs(1);

/// The thread that weaves.
pub(super) struct Weaving {
    thread: JoinHandle<()>,
    stop: watch::Sender<bool>,
}

/// Starts to weave.
pub(super) fn start(loom: Loom, work: mpsc::Receiver<Work>) -> anyhow::Result<Weaving> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot start the weaving")?;
    let (stop, stopped) = watch::channel(false);
    let thread = std::thread::Builder::new().name("weave".to_owned());
    let thread = thread.spawn(move || runtime.block_on(loom.run(work, stopped))).context("cannot start the weaving")?;
    Ok(Weaving { thread, stop })
}

impl Weaving {
    /// Returns when the thread has ended, which it does early only by a fault of its own.
    pub(super) async fn ended(&self) {
        while !self.thread.is_finished() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until all that waits is woven and the last checkpoint is kept.
    pub(super) async fn stop(self) {
        self.stop.send_replace(true);
        // A panic there was told when it happened; the log has what was not woven.
        let _ = tokio::task::spawn_blocking(move || self.thread.join()).await;
    }
}
