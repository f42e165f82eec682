//! One weaver for each cluster.

use std::collections::BTreeMap;

use bytes::Bytes;
use clew_model::Time;
use clew_store::Woven;
use clew_store::otlp::Native;
use clew_weave::fact::Fact;
use clew_weave::{Config, Stats, Weaver};
use compact_str::CompactString;

/// How many clusters one process weaves: the name comes with the data, so that a client could invent any number.
const MAX_CLUSTERS: usize = 256;

/// The weavers, by cluster.
#[derive(Debug)]
pub(super) struct Clusters {
    config: Config,
    weavers: BTreeMap<CompactString, Weaver>,
}

impl Clusters {
    pub(super) fn new(config: Config) -> Self {
        Self { config, weavers: BTreeMap::new() }
    }

    /// Goes on with a weaver's memory; says if it cannot be read, which means weaving from nothing.
    pub(super) fn restore(&mut self, cluster: CompactString, snapshot: &[u8]) -> postcard::Result<()> {
        let mut weaver: Weaver = postcard::from_bytes(snapshot)?;
        weaver.repeat();
        self.weavers.insert(cluster, weaver);
        Ok(())
    }

    /// Gives facts to their cluster's weaver; false if there are too many clusters.
    pub(super) fn apply(&mut self, cluster: &CompactString, facts: impl IntoIterator<Item = Fact>) -> bool {
        if !self.weavers.contains_key(cluster) {
            if self.weavers.len() >= MAX_CLUSTERS {
                return false;
            }
            let config = Config { cluster: cluster.to_string(), ..self.config.clone() };
            self.weavers.insert(cluster.clone(), Weaver::new(config));
        }
        if let Some(weaver) = self.weavers.get_mut(cluster) {
            facts.into_iter().for_each(|fact| weaver.apply(fact));
        }
        true
    }

    /// Gives native spans to the weavers of their clusters, those that name none to the given one; says for how many there
    /// is none.
    pub(super) fn apply_native(&mut self, native: Vec<Native>, unnamed: &CompactString) -> u64 {
        let mut dropped = 0;
        for Native { cluster, spans } in native {
            let count = spans.iter().map(|spans| u64::from(spans.spans)).sum::<u64>();
            let facts = spans.into_iter().map(|spans| Fact::Native(Box::new(spans)));
            if !self.apply(cluster.as_ref().unwrap_or(unnamed), facts) {
                dropped += count;
            }
        }
        dropped
    }

    /// What changed up to now, of each cluster in which something did.
    pub(super) fn advance(&mut self, now: Time) -> Vec<Woven> {
        let woven = self.weavers.iter_mut().map(|(cluster, weaver)| {
            let upserts = weaver.advance(now);
            Woven { cluster: cluster.clone(), upserts }
        });
        woven.filter(|woven| !woven.upserts.journeys.is_empty() || !woven.upserts.retired.is_empty()).collect()
    }

    /// Has the next turn give out every journey again.
    pub(super) fn repeat(&mut self) {
        self.weavers.values_mut().for_each(Weaver::repeat);
    }

    /// The memory of every weaver.
    pub(super) fn snapshots(&self) -> postcard::Result<Vec<(CompactString, Bytes)>> {
        let snapshot = |(cluster, weaver): (&CompactString, &Weaver)| {
            Ok((cluster.clone(), Bytes::from(postcard::to_allocvec(weaver)?)))
        };
        self.weavers.iter().map(snapshot).collect()
    }

    /// What each weaver took and holds.
    pub(super) fn stats(&self) -> Vec<(CompactString, Stats)> {
        self.weavers.iter().map(|(cluster, weaver)| (cluster.clone(), weaver.stats())).collect()
    }
}
