//! What a watch tells the keeper of its cluster.

use std::collections::BTreeSet;
use std::sync::Arc;

use clew_model::Time;
use clew_weave::fact::{Fact, Kind};

use crate::live::SourceHandle;
use crate::watch::{Resource, ResourceKey};

/// A watched resource, as the keeper knows it.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) key: ResourceKey,
    pub(super) kind: Kind,
    pub(super) source: SourceHandle,
}

impl Watched {
    pub(super) fn new(resource: &Resource, source: SourceHandle) -> Self {
        let kind = Kind {
            group: resource.group.as_str().into(),
            version: resource.version.as_str().into(),
            resource: resource.plural.as_str().into(),
            kind: resource.kind.as_str().into(),
        };
        Self { key: resource.key(), kind, source }
    }
}

/// One thing that a watch tells.
pub(super) enum Told {
    /// A list begins.
    ListBegins(Arc<Watched>),
    /// A fact.
    Fact(Arc<Watched>, Fact),
    /// Everything up to this version was told; `list_ended` if that was a list.
    Reached { watched: Arc<Watched>, version: String, list_ended: bool, time: Time },
    /// What the cluster has now.
    Discovered(BTreeSet<ResourceKey>),
}
