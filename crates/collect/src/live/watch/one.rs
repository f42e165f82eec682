//! The live output of one watch: objects become facts, and the keeper is told of them.

use std::hash::Hasher;
use std::sync::{Arc, Mutex, PoisonError};

use clew_weave::fact::{Fact, ObjectState, Observation};
use rustc_hash::FxHasher;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::ledger::Ledger;
use super::told::{Told, Watched};
use crate::capture::Source;
use crate::decode::Decoder;
use crate::live::sources::now;
use crate::redact::Redactor;
use crate::watch::{Ended, Outcome, OutputOfOne, Resource, Seen, line};

/// The output of one watch.
pub(crate) struct LiveOne {
    pub(super) resource: Resource,
    pub(super) watched: Arc<Watched>,
    pub(super) keeper: mpsc::Sender<Told>,
    pub(super) ledger: Arc<Mutex<Ledger>>,
    pub(super) redactor: Redactor,
    pub(super) decoder: Decoder,
    /// The version that was reached, as a number: etcd's revision.
    pub(super) reached: u64,
    /// Whether the last object told the keeper how far the watch is.
    pub(super) told: bool,
}

impl OutputOfOne for LiveOne {
    async fn resume(&self) -> Option<String> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).resume(&self.watched.key)
    }

    async fn list_begins(&mut self) -> Result<(), Ended> {
        self.tell(Told::ListBegins(Arc::clone(&self.watched))).await
    }

    async fn keep(&mut self, seen: Seen<'_>) -> Result<(), Ended> {
        let kind = if self.is_late_event(seen) { "ADDED" } else { seen.kind };
        let mut facts = Vec::new();
        if !self.decode(Seen { kind, ..seen }, &mut facts) {
            self.watched.source.dropped(1);
        }
        self.told = false;
        for mut fact in facts {
            if let Fact::Observation(observation) = &mut fact {
                complete(observation, &self.resource);
                // An aggregated API may have versions that are no numbers: then the object does not tell it.
                self.told = seen.kind != "LISTED" && observation.state.version > 0;
            }
            self.tell(Told::Fact(Arc::clone(&self.watched), fact)).await?;
        }
        Ok(())
    }

    async fn reached(&mut self, version: &str, list_ended: bool) -> Result<(), Ended> {
        self.reached = version.parse().unwrap_or(self.reached);
        if std::mem::take(&mut self.told) && !list_ended {
            return Ok(());
        }
        let watched = Arc::clone(&self.watched);
        self.tell(Told::Reached { watched, version: version.to_owned(), list_ended, time: now() }).await
    }

    fn count_bad(&self, lines: u64) {
        self.watched.source.dropped(lines);
    }

    fn outcome(&mut self, outcome: &Outcome) {
        let source = &self.watched.source;
        match outcome {
            Outcome::Page { .. } | Outcome::Opened | Outcome::Ended { .. } => source.up(),
            Outcome::Gone => source.waiting("the API server forgot the version: listing anew"),
            Outcome::NotFound => source.waiting("the resource is no more"),
            Outcome::Forbidden => source.failed(self.how_to_allow()),
            Outcome::Failed => source.waiting("the API server does not answer, trying on"),
        }
    }
}

impl LiveOne {
    async fn tell(&self, told: Told) -> Result<(), Ended> {
        self.keeper.send(told).await.map_err(|_| Ended)
    }

    /// False if the object cannot be read; its secrets cannot be found then, so it is not kept.
    fn decode(&self, seen: Seen<'_>, facts: &mut Vec<Fact>) -> bool {
        let line = line(&self.redactor, &self.resource, seen);
        line.is_ok_and(|line| self.decoder.line(Source::Watch, line.as_bytes(), facts).is_ok())
    }

    /// An event that a list shows after a gap, and that no watch has told.
    fn is_late_event(&self, seen: Seen<'_>) -> bool {
        #[derive(Deserialize)]
        struct Versioned {
            metadata: Metadata,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Metadata {
            resource_version: String,
        }
        if seen.kind != "LISTED" || self.reached == 0 || self.resource.plural != "events" {
            return false;
        }
        let version = serde_json::from_str::<Versioned>(seen.object).ok();
        version.and_then(|it| it.metadata.resource_version.parse().ok()).is_some_and(|it: u64| it > self.reached)
    }

    fn how_to_allow(&self) -> String {
        let Resource { plural, group, namespace, .. } = &self.resource;
        let place = if namespace.is_empty() { "the cluster".to_owned() } else { format!("namespace {namespace}") };
        format!("forbidden: grant list and watch on {plural} of group {group:?} in {place}, or exclude it")
    }
}

/// Adds what the request tells and the object does not.
fn complete(observation: &mut Observation, resource: &Resource) {
    let state = &mut observation.state;
    if !resource.kind.is_empty() {
        state.kind.kind = resource.kind.as_str().into();
    }
    if resource.metadata_only {
        state.spec = writers(state);
        state.content = state.content.rotate_left(1) ^ state.spec;
        state.body = None;
    }
}

/// Without its data, an object shows that they changed by who wrote it, and when.
fn writers(state: &ObjectState) -> u64 {
    let mut hasher = FxHasher::default();
    for manager in state.managers.iter().filter(|manager| manager.subresource.is_empty()) {
        hasher.write(manager.name.as_bytes());
        hasher.write_i64(manager.time.as_nanos());
    }
    hasher.finish()
}
