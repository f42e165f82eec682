//! What goes on behind: segments are sealed in time, memory goes to the lake, the lake is kept tidy.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, Notify};

use super::flush::Flushing;
use super::intake::Item;
use super::shared::Shared;
use crate::log::Log;

/// How often the commits of others are looked for.
const REFRESH: Duration = Duration::from_secs(10);
/// How often the lake is tidied.
const TIDY: Duration = Duration::from_mins(5);

/// Works until it is aborted.
pub(super) async fn run(shared: Arc<Shared>, log: Arc<Log<Item>>, flushing: Arc<Mutex<Flushing>>, wake: Arc<Notify>) {
    let mut refreshed = Instant::now();
    loop {
        let _ = tokio::time::timeout(shared.options.tick, wake.notified()).await;
        if shared.seal_is_due()
            && let Err(error) = log.seal().await
        {
            shared.problem(error.to_string());
        }
        let mut flushing = flushing.lock().await;
        let moved = flush(&shared, &mut flushing).await;
        if moved {
            refreshed = Instant::now();
        } else if refreshed.elapsed() >= REFRESH {
            refreshed = Instant::now();
            refresh(&shared).await;
        }
    }
}

/// Keeps the tables in order until it is aborted; others write meanwhile.
pub(super) async fn tidy(shared: Arc<Shared>) {
    loop {
        let files = shared.hot().cold.clone();
        for files in files {
            files.learn_ids().await;
        }
        tokio::time::sleep(TIDY).await;
        shared.tidy().await;
        refresh(&shared).await;
    }
}

async fn flush(shared: &Shared, flushing: &mut Flushing) -> bool {
    let mut moved = false;
    loop {
        match shared.flush(flushing, false).await {
            Ok(true) => moved = true,
            Ok(false) => return moved,
            Err(error) => {
                shared.problem(format!("recent data stays in the log: {error}"));
                return moved;
            }
        }
    }
}

async fn refresh(shared: &Shared) {
    match shared.files().await {
        Ok(cold) => shared.hot_mut().cold = cold,
        Err(error) => shared.problem(format!("what others wrote is not seen: {error}")),
    }
}

impl Shared {
    /// Whether the segment that is being written is old enough, or memory is half full.
    fn seal_is_due(&self) -> bool {
        let hot = self.hot();
        let limits = &self.options.limits;
        let Some((_, newest)) = hot.segments.last_key_value() else { return false };
        !newest.sealed && (newest.since.elapsed() >= limits.segment_age || hot.bytes() > limits.hot_bytes / 2)
    }
}
