//! A recording from start to end.

use std::sync::Arc;

use tokio::sync::watch;

use super::counts::Counts;
use super::file::FileSummary;
use super::plan::Plan;
use super::queue::Writers;
use super::start::Starting;
use super::summary::{Notify, RecordSummary};
use crate::CollectError;
use crate::capture::Source;

/// Records until `stop` becomes true, then ends the files.
///
/// A source that cannot be had is told and left out; fails only if none can be had, or if the disk fails.
pub async fn record(
    plan: Plan,
    counts: Arc<Counts>,
    notify: Notify,
    mut stop: watch::Receiver<bool>,
) -> Result<RecordSummary, CollectError> {
    let mut started = Starting::new(&plan, Arc::clone(&counts), notify)?;
    started.audit(plan.audit.as_ref()).await?;
    started.watch(plan.watch.as_ref()).await?;
    started.otlp(plan.otlp).await?;
    let Starting { mut tasks, mut writers, close, not_recorded, .. } = started;
    if writers.is_empty() {
        return Err(CollectError::NothingToRecord { out: plan.out });
    }
    let early = tokio::select! {
        _ = stop.wait_for(|stop| *stop) => None,
        early = writers.join_next() => early,
    };
    tasks.shutdown().await;
    // Connections outlive the server that took them, and hold their queue: it is closed rather than dropped.
    close.send_replace(true);
    let files = ended(writers).await;
    if let Some(early) = early {
        early.unwrap_or(Err(CollectError::WriterEnded))?;
        return Err(CollectError::WriterEnded);
    }
    Ok(RecordSummary {
        files: files?,
        bad: Source::ALL.into_iter().map(|source| counts.of(source).snapshot().bad).sum(),
        watched: counts.watched(),
        spans: counts.spans(),
        not_recorded,
    })
}

/// Waits for every writer, also when one fails, so that the others end their files.
async fn ended(mut writers: Writers) -> Result<Vec<FileSummary>, CollectError> {
    let mut files = Vec::new();
    let mut failure = None;
    while let Some(writer) = writers.join_next().await {
        match writer.unwrap_or(Err(CollectError::WriterEnded)) {
            Ok(file) => files.push(file),
            Err(error) => failure = Some(error),
        }
    }
    files.sort_by_key(|file| file.source);
    failure.map_or(Ok(files), Err)
}
