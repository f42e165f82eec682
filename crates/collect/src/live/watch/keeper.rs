//! The keeper of one cluster: facts become durable in batches, then the cursor moves.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clew_store::StoreError;
use clew_weave::fact::Fact;
use compact_str::CompactString;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout_at};

use super::cursor;
use super::ledger::Ledger;
use super::told::Told;
use crate::live::sources::now;
use crate::live::{Parts, SourceHandle};

/// What is made durable at once.
const BATCH: usize = 512;
/// The cursor is written soon after the beginning, and then ever more seldom.
const FIRST_SAVE: Duration = Duration::from_millis(250);
/// How long to wait when the store refuses without saying how long.
const RETRY: Duration = Duration::from_secs(1);
const LONGEST_RETRY: Duration = Duration::from_secs(30);

/// Takes what the watches of a cluster tell.
pub(super) struct Keeper {
    pub(super) cluster: CompactString,
    pub(super) parts: Parts,
    pub(super) ledger: Arc<Mutex<Ledger>>,
    pub(super) source: SourceHandle,
    /// The cursor's file, if one is kept.
    pub(super) file: Option<PathBuf>,
    pub(super) save_every: Duration,
}

impl Keeper {
    /// Runs until nobody tells anything any more, or the store is closed.
    pub(super) async fn run(self, mut told: mpsc::Receiver<Told>) {
        let mut batch = Vec::with_capacity(BATCH);
        // Before anything is durable: who is killed now knows afterwards since when it watches, and so what is new.
        self.save().await;
        let mut wait = FIRST_SAVE.min(self.save_every);
        let mut next_save = Instant::now() + wait;
        let mut moved = false;
        loop {
            let got = timeout_at(next_save, told.recv_many(&mut batch, BATCH)).await;
            if got == Ok(0) {
                break;
            }
            if got.is_ok() {
                let facts = self.apply(batch.drain(..));
                if self.keep(facts).await.is_err() {
                    self.source.failed("the store is closed: nothing more is taken");
                    return;
                }
                moved = true;
            }
            // Only here is all that the ledger knows of durable.
            if Instant::now() >= next_save {
                if std::mem::take(&mut moved) {
                    self.save().await;
                }
                wait = (wait * 2).min(self.save_every);
                next_save = Instant::now() + wait;
            }
        }
        self.save().await;
    }

    /// Notes what was told, and gives the facts that are new.
    fn apply(&self, told: impl Iterator<Item = Told>) -> Vec<Fact> {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let mut facts = Vec::new();
        for told in told {
            match told {
                Told::ListBegins(watched) => ledger.begin_list(&watched),
                Told::Reached { watched, version, list_ended: false, .. } => ledger.reach(&watched, &version),
                Told::Reached { watched, version, time, .. } => {
                    let gone = ledger.end_list(&watched, &version, time);
                    watched.source.seen(gone.len() as u64);
                    watched.source.holds(ledger.held(&watched.key));
                    facts.extend(gone);
                }
                Told::Fact(watched, Fact::Observation(mut observation)) => {
                    if ledger.observe(&watched, &mut observation) {
                        watched.source.seen(1);
                        watched.source.holds(ledger.held(&watched.key));
                        facts.push(Fact::Observation(observation));
                    }
                }
                Told::Fact(watched, fact) => {
                    watched.source.seen(1);
                    facts.push(fact);
                }
                Told::Discovered(found) => facts.extend(ledger.discovered(&found, now())),
            }
        }
        self.source.holds(ledger.objects);
        facts
    }

    /// Makes facts durable, however long that takes: meanwhile the watches wait, and the API server remembers.
    async fn keep(&self, facts: Vec<Fact>) -> Result<(), StoreError> {
        if facts.is_empty() {
            return Ok(());
        }
        for fact in &facts {
            if let Fact::Observation(observation) = fact {
                self.parts.contexts.learn(observation);
            }
        }
        let mut failures = 0_u32;
        loop {
            let wait = match self.parts.intake.facts(&self.cluster, facts.clone()).await {
                Ok(()) => {
                    if failures > 0 {
                        self.source.up();
                    }
                    return Ok(());
                }
                Err(StoreError::Closed) => return Err(StoreError::Closed),
                Err(error) => {
                    self.source.waiting(format!("nothing is lost yet, but nothing is kept either: {error}"));
                    wait_after(&error, failures)
                }
            };
            failures += 1;
            sleep(wait).await;
        }
    }

    async fn save(&self) {
        let Some(path) = self.file.clone() else { return };
        let bytes = cursor::encode(&self.ledger.lock().unwrap_or_else(PoisonError::into_inner));
        let written = match bytes {
            Ok(bytes) => tokio::task::spawn_blocking(move || cursor::write(&path, &bytes)).await,
            Err(error) => Ok(Err(std::io::Error::other(error))),
        };
        if let Ok(Err(error)) = written {
            self.source.waiting(format!("cannot keep where the watch is, a restart will list anew: {error}"));
        }
    }
}

fn wait_after(error: &StoreError, failures: u32) -> Duration {
    if let StoreError::Full { retry_after, .. } = error {
        return (*retry_after).clamp(Duration::from_millis(10), LONGEST_RETRY);
    }
    RETRY.saturating_mul(1 << failures.min(5)).min(LONGEST_RETRY)
}
