//! The live watch over a scripted API server: gaps, restarts, a full store, a resource that is forbidden.
//!
//! The real API server is met in `e2e/`; it cannot be made to say 410 at a given moment.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clew_collect::live::watch::{Settings, run};
use clew_collect::live::{Parts, SourceState, connect};
use clew_weave::fact::{Fact, Observation, Observed};
use common::api_server::ApiServer;
use common::live;
use common::memory_store::MemoryStore;
use tokio::sync::watch;
use tokio::task::JoinHandle;

const PATIENCE: Duration = Duration::from_secs(20);

/// A live watch under test.
struct Live {
    store: Arc<MemoryStore>,
    parts: Parts,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Live {
    async fn start(server: &ApiServer, folder: Option<&Path>, store: Arc<MemoryStore>) -> Self {
        let parts = live::parts(&store, folder);
        let connection = connect(Some(&server.kubeconfig()), None).await.expect("a kubeconfig");
        assert_eq!(connection.cluster, "c", "the context's name");
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(run(connection, Settings::default(), parts.clone(), stopped));
        Self { store, parts, stop, task }
    }

    async fn wait_until(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let end = tokio::time::Instant::now() + PATIENCE;
        while !holds(self) {
            assert!(tokio::time::Instant::now() < end, "waited in vain for {what}: {:?}", self.parts.sources.list());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn end(self) -> Arc<MemoryStore> {
        self.stop.send_replace(true);
        tokio::time::timeout(PATIENCE, self.task).await.expect("ends when asked to").expect("no panic");
        self.store
    }

    fn seen(&self) -> Vec<(Observed, String)> {
        seen(&self.store)
    }
}

fn observations(store: &MemoryStore) -> Vec<Observation> {
    let facts = store.facts("c").into_iter();
    facts.filter_map(|fact| if let Fact::Observation(seen) = fact { Some(*seen) } else { None }).collect()
}

fn seen(store: &MemoryStore) -> Vec<(Observed, String)> {
    observations(store).into_iter().map(|seen| (seen.observed, seen.state.name.to_string())).collect()
}

fn pairs(expected: &[(Observed, &str)]) -> Vec<(Observed, String)> {
    expected.iter().map(|(observed, name)| (*observed, (*name).to_owned())).collect()
}

fn object(name: &str, version: u64) -> String {
    format!(
        r#"{{"metadata":{{"name":"{name}","uid":"uid-{name}","resourceVersion":"{version}","creationTimestamp":"2020-01-01T00:00:00Z"}}}}"#
    )
}

fn list(version: u64, objects: &[(&str, u64)]) -> String {
    let items: Vec<String> = objects.iter().map(|(name, at)| object(name, *at)).collect();
    format!(r#"{{"metadata":{{"resourceVersion":"{version}"}},"items":[{}]}}"#, items.join(","))
}

fn change(kind: &str, name: &str, version: u64) -> String {
    format!("{{\"type\":\"{kind}\",\"object\":{}}}\n", object(name, version))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_in_a_gap_is_told_and_nothing_is_told_twice() {
    let first = list(5, &[("same", 1), ("changed", 2), ("gone", 3)]);
    let added = change("ADDED", "new", 6);
    let second = list(20, &[("same", 1), ("changed", 15), ("new", 6), ("late", 16)]);
    let server = ApiServer::start(&[(200, &first), (200, &added), (410, ""), (200, &second), (500, "")]).await;
    let live = Live::start(&server, None, Arc::default()).await;
    live.wait_until("the deletion", |live| live.seen().len() >= 7).await;
    let store = live.end().await;
    let expected = [
        (Observed::Listed, "same"),
        (Observed::Listed, "changed"),
        (Observed::Listed, "gone"),
        (Observed::Added, "new"),
        (Observed::Modified, "changed"),
        (Observed::Added, "late"),
        (Observed::Deleted, "gone"),
    ];
    assert_eq!(seen(&store), pairs(&expected));
    let gone = observations(&store).pop().expect("the last one").state;
    assert_eq!((gone.kind.resource.as_str(), gone.version), ("secrets", 20));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_goes_on_where_the_last_run_was() {
    let folder = tempfile::tempdir().expect("folder");
    let store = Arc::<MemoryStore>::default();
    let added = change("ADDED", "b", 6);
    let server = ApiServer::start(&[(200, &list(5, &[("a", 1)])), (200, &added), (500, "")]).await;
    let live = Live::start(&server, Some(folder.path()), Arc::clone(&store)).await;
    live.wait_until("the addition", |live| live.seen().len() == 2).await;
    live.end().await;
    let deleted = change("DELETED", "a", 9);
    let server = ApiServer::start(&[(200, &deleted), (500, "")]).await;
    let live = Live::start(&server, Some(folder.path()), store).await;
    live.wait_until("the deletion", |live| live.seen().len() == 3).await;
    let store = live.end().await;
    assert!(server.asked()[0].contains("watch=true") && server.asked()[0].contains("resourceVersion=6&"));
    let expected = [(Observed::Listed, "a"), (Observed::Added, "b"), (Observed::Deleted, "a")];
    assert_eq!(seen(&store), pairs(&expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_made_after_a_kill_in_the_first_second_is_told_as_made() {
    let (folder, left) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    let store = Arc::<MemoryStore>::default();
    let server = ApiServer::start(&[(200, &list(5, &[("a", 1)])), (500, "")]).await;
    let live = Live::start(&server, Some(folder.path()), Arc::clone(&store)).await;
    live.wait_until("the list", |live| live.seen().len() == 1).await;
    // What a kill at this moment would leave.
    std::fs::create_dir(left.path().join("watch")).expect("a folder");
    for file in std::fs::read_dir(folder.path().join("watch")).expect("the cursor is there").flatten() {
        std::fs::copy(file.path(), left.path().join("watch").join(file.file_name())).expect("a copy");
    }
    live.end().await;
    let made = list(9, &[("a", 1), ("late", 8)]).replace("2020-01-01", "2100-01-01");
    let server = ApiServer::start(&[(410, ""), (200, &made), (500, "")]).await;
    let live = Live::start(&server, Some(left.path()), store).await;
    let late = (Observed::Added, "late".to_owned());
    live.wait_until("the late one, as made", |live| live.seen().contains(&late)).await;
    live.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_store_is_waited_for_and_loses_nothing() {
    let store = Arc::<MemoryStore>::default();
    store.set_full(true);
    let server = ApiServer::start(&[(200, &list(5, &[("a", 1)])), (500, "")]).await;
    let live = Live::start(&server, None, store).await;
    let says = |live: &Live| live.parts.sources.list().iter().any(|source| source.message.contains("store is full"));
    live.wait_until("the source to say so", says).await;
    assert!(live.seen().is_empty());
    live.store.set_full(false);
    live.wait_until("the fact", |live| live.seen().len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forbidden_resource_is_a_failed_source_that_says_what_to_grant() {
    let server = ApiServer::start(&[(403, "{}")]).await;
    let live = Live::start(&server, None, Arc::default()).await;
    let failed = |live: &Live| live.parts.sources.list().into_iter().find(|it| it.state == SourceState::Failed);
    live.wait_until("the source to fail", |live| failed(live).is_some()).await;
    let source = failed(&live).expect("failed");
    assert_eq!((source.cluster.as_str(), source.name.as_str()), ("c", "secrets"));
    assert!(source.message.contains("grant list and watch on secrets"), "{}", source.message);
    let cluster = &live.parts.sources.list()[0];
    assert_eq!((cluster.name.as_str(), cluster.state), ("api-server", SourceState::Up));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_secrets_only_the_metadata_are_asked_for() {
    let server = ApiServer::start(&[(200, &list(5, &[("a", 1)])), (200, "")]).await;
    let live = Live::start(&server, None, Arc::default()).await;
    live.wait_until("the watch", |_| server.accepted().len() >= 2).await;
    let accepted = server.accepted();
    assert!(accepted[0].contains("as=PartialObjectMetadataList;"), "{accepted:?}");
    assert!(accepted[1].contains("as=PartialObjectMetadata;"), "{accepted:?}");
    live.end().await;
}
