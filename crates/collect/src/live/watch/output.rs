//! The live output of a cluster's watches.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use compact_str::CompactString;
use tokio::sync::mpsc;

use super::ledger::Ledger;
use super::one::LiveOne;
use super::told::{Told, Watched};
use crate::decode::Decoder;
use crate::live::{Parts, SourceHandle, SourceKind};
use crate::watch::{Ended, Output, Resource, ResourceKey};

/// Tells the keeper of a cluster what its watches see.
#[derive(Clone)]
pub(super) struct LiveOutput {
    pub(super) cluster: CompactString,
    pub(super) parts: Parts,
    pub(super) keeper: mpsc::Sender<Told>,
    pub(super) ledger: Arc<Mutex<Ledger>>,
    pub(super) source: SourceHandle,
    /// The resources that are shown as sources.
    pub(super) shown: Arc<Mutex<BTreeSet<ResourceKey>>>,
}

impl Output for LiveOutput {
    type One = LiveOne;

    fn of(&self, resource: &Resource) -> LiveOne {
        let name = resource.key().to_string();
        let source = self.parts.sources.of(&self.cluster, SourceKind::Watch, &name);
        LiveOne {
            watched: Arc::new(Watched::new(resource, source)),
            resource: resource.clone(),
            keeper: self.keeper.clone(),
            ledger: Arc::clone(&self.ledger),
            redactor: self.parts.redactor.clone(),
            decoder: Decoder::new(self.parts.redactor.clone()),
            reached: 0,
            told: false,
        }
    }

    async fn discovered(&self, found: &[Resource]) -> Result<(), Ended> {
        let found: BTreeSet<ResourceKey> = found.iter().map(Resource::key).collect();
        let former = {
            let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *shown, found.clone())
        };
        for key in former.difference(&found) {
            self.parts.sources.remove(&self.cluster, SourceKind::Watch, &key.to_string());
        }
        self.keeper.send(Told::Discovered(found)).await.map_err(|_| Ended)
    }

    fn watching(&self, resources: usize) {
        let objects = self.ledger.lock().unwrap_or_else(PoisonError::into_inner).objects;
        self.source.holds(objects);
        self.source.up_with(format!("{resources} resources watched, {objects} objects remembered"));
    }

    fn unreachable(&self, why: &str) {
        self.source.waiting(format!("the cluster does not answer, trying on: {why}"));
    }

    fn has_begun(&self, _resources: usize) {
        self.source.seen(0);
    }
}
