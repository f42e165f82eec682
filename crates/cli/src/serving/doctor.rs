//! The doctor while clew runs: every cluster is examined at the start and now and then.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clew_collect::live::doctor::{Check as Line, CheckState, Findings, Running, examine, report};
use clew_collect::live::{Connection, watch as watching};
use clew_collect::weaving::Clock;
use clew_server::Check;
use compact_str::CompactString;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How often a cluster is asked.
const EVERY: Duration = Duration::from_mins(5);
/// How long an examination may take.
const AT_MOST: Duration = Duration::from_mins(1);

/// What the last examination of each cluster found.
#[derive(Clone, Default)]
pub(super) struct Examined(Arc<Mutex<BTreeMap<CompactString, Findings>>>);

impl Examined {
    /// Examines the clusters for as long as clew runs.
    pub(super) fn begin(
        &self,
        connections: &[Connection],
        settings: &watching::Settings,
        stopped: &watch::Receiver<bool>,
        tasks: &mut JoinSet<anyhow::Result<()>>,
    ) {
        for connection in connections {
            let (examined, connection, settings) = (self.clone(), connection.clone(), settings.clone());
            let mut stopped = stopped.clone();
            tasks.spawn(async move {
                tokio::select! {
                    () = examined.keep(&connection, &settings) => {}
                    _ = stopped.wait_for(|stopped| *stopped) => {}
                }
                Ok(())
            });
        }
    }

    async fn keep(&self, connection: &Connection, settings: &watching::Settings) {
        loop {
            let found = tokio::time::timeout(AT_MOST, examine(connection, settings, None, None)).await;
            let found = found.unwrap_or_else(|_| {
                let told = format!("an examination took longer than {} s", AT_MOST.as_secs());
                Findings { version: Some(Err(told)), ..Findings::default() }
            });
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(connection.cluster.clone(), found);
            tokio::time::sleep(EVERY).await;
        }
    }

    /// The doctor's table, with what the sources say at this moment.
    pub(super) fn checks(&self, running: &Running) -> Vec<Check> {
        let examined = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let several = examined.len() > 1;
        let of_cluster = examined.into_iter().flat_map(|(cluster, found)| {
            let found = Findings { running: Some(running.clone()), now: Clock::wall(), ..found };
            let lines = report(&found);
            lines.into_iter().map(move |line| shown(line, several.then_some(cluster.as_str())))
        });
        of_cluster.collect()
    }
}

/// What is not there is worth a look; only a cluster that does not answer is a failure.
fn shown(line: Line, cluster: Option<&str>) -> Check {
    let state = match line.state {
        CheckState::Ok => "ok",
        CheckState::Missing if line.check == "API server" => "failed",
        CheckState::Partial | CheckState::Missing => "warning",
        CheckState::Unknown => "unknown",
    };
    let check = cluster.map_or_else(|| line.check.to_owned(), |cluster| format!("{} of {cluster}", line.check));
    let message = if line.state == CheckState::Ok {
        line.message
    } else {
        format!("{}; it is worth: {}", line.message, line.worth)
    };
    Check { check, state: state.to_owned(), message, fix: line.fix }
}
