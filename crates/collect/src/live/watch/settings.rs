//! What of a live cluster is watched.

use std::time::Duration;

use crate::watch::{Pattern, Scope};

/// How a cluster is watched.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Which resources, in which namespaces.
    pub scope: Scope,
    /// Whether the data of Secrets may be read; they are kept as hashes all the same. Otherwise only their metadata are asked for.
    pub secrets: bool,
    /// How many objects are remembered, so that deletions in a gap can be told: about 150 bytes each.
    pub most_objects: usize,
    /// How often the cursor is written; a crash makes the watch tell at most this much again.
    pub save_every: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { scope: Scope::default(), secrets: false, most_objects: 2_000_000, save_every: Duration::from_secs(10) }
    }
}

impl Settings {
    /// The scope with what no journey needs left out: leases, and the data of Secrets.
    pub(crate) fn effective_scope(&self) -> Scope {
        let mut scope = self.scope.clone();
        scope.selection.exclude.extend(pattern("leases.coordination.k8s.io"));
        if !self.secrets {
            scope.metadata_only.extend(pattern("secrets"));
        }
        scope
    }
}

fn pattern(text: &str) -> Option<Pattern> {
    text.parse().ok()
}
