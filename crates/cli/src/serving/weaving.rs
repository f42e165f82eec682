//! The weaving on a thread of its own, since it computes more than it waits.

use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use clew_collect::intake::Work;
use clew_collect::weaving::Loom;
use tokio::sync::mpsc;

/// How often the thread is looked after.
const LOOK: Duration = Duration::from_secs(1);

/// The thread that weaves.
pub(super) struct Weaving(JoinHandle<()>);

/// Starts to weave; ends when nobody can send work any more.
pub(super) fn start(loom: Loom, work: mpsc::Receiver<Work>) -> anyhow::Result<Weaving> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot start the weaving")?;
    let thread = std::thread::Builder::new().name("weave".to_owned());
    let handle = thread.spawn(move || runtime.block_on(loom.run(work))).context("cannot start the weaving")?;
    Ok(Weaving(handle))
}

impl Weaving {
    /// Returns when the thread has ended, which it does early only by a fault of its own.
    pub(super) async fn ended(&self) {
        while !self.0.is_finished() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until all is woven and the last checkpoint is kept.
    pub(super) async fn join(self) {
        // A panic there was told when it happened; the log has what was not woven.
        let _ = tokio::task::spawn_blocking(move || self.0.join()).await;
    }
}
