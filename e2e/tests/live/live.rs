//! A live clew in this process: watch and audit of a cluster, into a store in memory.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clew_collect::intake::Intake;
use clew_collect::live::audit::{LogSettings, follow};
use clew_collect::live::watch::{Settings, run};
use clew_collect::live::{Contexts, Parts, SourceKind, SourceState, Sources, connect};
use clew_collect::redact::Redactor;
use clew_e2e::{Cluster, Identity};
use clew_store::Store;
use clew_weave::fact::{Fact, Observation, Observed};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::harness::eventually;
use crate::memory_store::MemoryStore;

/// What the cluster is called in facts.
pub(crate) const CLUSTER: &str = "live";
/// One key for all, so that hashes can be compared.
pub(crate) const KEY: [u8; 32] = [5; 32];

/// A clew that watches.
pub(crate) struct Live {
    runtime: Runtime,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) parts: Parts,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Live {
    /// Watches, keeping its cursor in the folder; returns when everything is watched.
    pub(crate) fn start(cluster: &Cluster, folder: &Path, store: Arc<MemoryStore>) -> Self {
        let settings = Settings { secrets: true, ..Settings::default() };
        let live = Self::begin(&cluster.kubeconfig(Identity::Admin), settings, folder, store);
        eventually("all sources to be up", || live.all_are_up().then_some(()));
        live
    }

    /// Begins to watch what the settings say, as whom the kubeconfig says.
    pub(crate) fn begin(kubeconfig: &Path, settings: Settings, folder: &Path, store: Arc<MemoryStore>) -> Self {
        let runtime = Runtime::new().unwrap();
        let parts = parts(&runtime, &store, Some(folder));
        let mut connection = runtime.block_on(connect(Some(kubeconfig), None)).unwrap();
        connection.cluster = CLUSTER.into();
        let (stop, stopped) = watch::channel(false);
        let task = runtime.spawn(run(connection, settings, parts.clone(), stopped));
        Self { runtime, store, parts, stop, tasks: vec![task] }
    }

    /// How a source is.
    pub(crate) fn state(&self, name: &str) -> Option<SourceState> {
        self.parts.sources.list().into_iter().find(|source| source.name == name).map(|source| source.state)
    }

    /// Follows the cluster's audit log, too.
    pub(crate) fn follow_audit(&mut self, cluster: &Cluster) {
        let path = cluster.folder().audit_log();
        let settings = LogSettings { cluster: CLUSTER.into(), path, from_start: false };
        let task = self.runtime.spawn(follow(settings, self.parts.clone(), self.stop.subscribe()));
        self.tasks.push(task);
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    pub(crate) fn all_are_up(&self) -> bool {
        let sources = self.parts.sources.list();
        let watches = sources.iter().filter(|source| source.kind == SourceKind::Watch).count();
        watches > 40 && sources.iter().all(|source| source.state == SourceState::Up)
    }

    /// What was observed so far of objects with this name.
    pub(crate) fn seen(&self, name: &str) -> Vec<Observed> {
        observations(&self.store).into_iter().filter(|it| it.state.name == name).map(|it| it.observed).collect()
    }

    /// Ends as on SIGTERM: all that was seen is durable, and the cursor is written.
    pub(crate) fn end(self) -> Arc<MemoryStore> {
        self.stop.send_replace(true);
        for task in self.tasks {
            self.runtime
                .block_on(async { tokio::time::timeout(Duration::from_secs(20), task).await })
                .unwrap()
                .unwrap();
        }
        self.store
    }
}

/// What sources work with, and somebody who takes what is to be woven.
pub(crate) fn parts(runtime: &Runtime, store: &Arc<MemoryStore>, folder: Option<&Path>) -> Parts {
    let (sender, mut weaving) = mpsc::channel(16);
    runtime.spawn(async move { while weaving.recv().await.is_some() {} });
    Parts {
        intake: Intake::new(Arc::clone(store) as Arc<dyn Store>, sender),
        redactor: Redactor::new(KEY),
        sources: Sources::default(),
        contexts: Arc::new(Contexts::default()),
        folder: folder.map(Path::to_owned),
    }
}

pub(crate) fn observations(store: &MemoryStore) -> Vec<Observation> {
    let facts = store.facts(CLUSTER).into_iter();
    facts.filter_map(|fact| if let Fact::Observation(seen) = fact { Some(*seen) } else { None }).collect()
}
