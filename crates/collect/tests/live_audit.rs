//! The live audit source as the API server and an operator of it meet it: the webhook over HTTP, and the log file.

mod common;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clew_collect::live::audit::{Access, LogSettings, ReceiverSettings, follow, router};
use clew_collect::live::{Parts, SourceState};
use clew_weave::fact::Fact;
use common::memory_store::MemoryStore;
use common::{gzip, live, post};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const PATIENCE: Duration = Duration::from_secs(20);

fn event(id: &str) -> String {
    format!(
        r#"{{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"{id}","stage":"ResponseComplete","verb":"create","user":{{"username":"alice"}},"objectRef":{{"resource":"configmaps","namespace":"shop","name":"{id}","apiVersion":"v1"}},"responseStatus":{{"code":201}},"responseObject":{{"kind":"ConfigMap","metadata":{{"name":"{id}","uid":"uid-{id}","resourceVersion":"7"}}}},"requestReceivedTimestamp":"2026-01-01T00:00:00.000000Z","stageTimestamp":"2026-01-01T00:00:00.100000Z"}}"#
    )
}

fn batch(ids: &[&str]) -> String {
    let items: Vec<String> = ids.iter().map(|id| event(id)).collect();
    format!(r#"{{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[{}]}}"#, items.join(","))
}

fn written(store: &MemoryStore, cluster: &str) -> Vec<String> {
    let facts = store.facts(cluster).into_iter();
    let names = facts.filter_map(|fact| if let Fact::Write(write) = fact { Some(write.target.name) } else { None });
    names.map(Into::into).collect()
}

async fn serve(store: &Arc<MemoryStore>, settings: ReceiverSettings) -> (String, Parts) {
    let parts = live::parts(store, None);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bind");
    let address = listener.local_addr().expect("address").to_string();
    let app = router(parts.clone(), settings);
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, parts)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_durable_when_it_is_answered_and_a_repeated_one_is_kept_once() {
    let store = Arc::<MemoryStore>::default();
    let (address, parts) = serve(&store, ReceiverSettings::default()).await;
    assert_eq!(post(&address, "/audit/prod", &[], batch(&["a", "b"]).as_bytes()).await, 200);
    assert_eq!(written(&store, "prod"), ["a", "b"]);
    let zipped = gzip(batch(&["b", "c"]).as_bytes());
    assert_eq!(post(&address, "/audit/prod", &["Content-Encoding: gzip"], &zipped).await, 200);
    assert_eq!(written(&store, "prod"), ["a", "b", "c"]);
    let source = &parts.sources.list()[0];
    assert_eq!((source.name.as_str(), source.state, source.count), ("webhook", SourceState::Up, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_store_sends_the_batch_back_and_takes_it_later() {
    let store = Arc::<MemoryStore>::default();
    let (address, parts) = serve(&store, ReceiverSettings::default()).await;
    store.set_full(true);
    assert_eq!(post(&address, "/audit/prod", &[], batch(&["a"]).as_bytes()).await, 429);
    assert_eq!(parts.sources.list()[0].state, SourceState::Waiting);
    store.set_full(false);
    assert_eq!(post(&address, "/audit/prod", &[], batch(&["a"]).as_bytes()).await, 200);
    assert_eq!(written(&store, "prod"), ["a"], "a refused batch is no duplicate");
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_and_what_is_too_large_or_no_list_are_refused() {
    let store = Arc::<MemoryStore>::default();
    let settings = ReceiverSettings {
        access: Access::open().with_token("secret"),
        most_clusters: 1,
        most_bytes: 2000,
        ..ReceiverSettings::default()
    };
    let (address, _) = serve(&store, settings).await;
    let token = ["Authorization: Bearer secret"];
    let body = batch(&["a"]);
    for (path, headers, body, expected) in [
        ("/audit/prod", &[][..], body.as_str(), 401),
        ("/audit/prod", &["Authorization: Bearer wrong"][..], body.as_str(), 401),
        ("/audit/prod", &token[..], "[]", 400),
        ("/audit/prod", &token[..], &"x".repeat(3000), 413),
        ("/audit/other", &token[..], body.as_str(), 404),
        ("/audit/prod", &token[..], body.as_str(), 200),
    ] {
        assert_eq!(post(&address, path, headers, body.as_bytes()).await, expected, "{path} {headers:?}");
    }
    assert_eq!(written(&store, "prod"), ["a"]);
}

struct Following {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Following {
    fn start(path: &Path, folder: &Path, store: &Arc<MemoryStore>) -> Self {
        let settings = LogSettings { cluster: "prod".into(), path: path.to_owned(), from_start: true };
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(follow(settings, live::parts(store, Some(folder)), stopped));
        Self { stop, task }
    }

    async fn end(self) {
        self.stop.send_replace(true);
        tokio::time::timeout(PATIENCE, self.task).await.expect("ends when asked to").expect("no panic");
    }
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("open");
    file.write_all(text.as_bytes()).expect("write");
}

async fn until_written(store: &MemoryStore, expected: &[&str]) {
    let end = tokio::time::Instant::now() + PATIENCE;
    while written(store, "prod") != expected {
        assert!(tokio::time::Instant::now() < end, "waited in vain: {:?}", written(store, "prod"));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_is_followed_over_rotations_and_restarts_and_nothing_is_told_twice() {
    let folder = tempfile::tempdir().expect("folder");
    let (path, data) = (folder.path().join("audit.log"), folder.path().join("data"));
    let store = Arc::<MemoryStore>::default();
    append(&path, &format!("{}\n{}\n", event("a"), event("a")));
    let following = Following::start(&path, &data, &store);
    until_written(&store, &["a"]).await;
    append(&path, &format!("{}\n", event("b")));
    fs::rename(&path, folder.path().join("audit-1.log")).expect("rotate");
    append(&path, &format!("{}\n", event("c")));
    until_written(&store, &["a", "b", "c"]).await;
    following.end().await;
    append(&path, &format!("{}\n", event("d")));
    fs::rename(&path, folder.path().join("audit-2.log")).expect("rotate while nobody looks");
    append(&path, &format!("{}\n", event("e")));
    let following = Following::start(&path, &data, &store);
    until_written(&store, &["a", "b", "c", "d", "e"]).await;
    following.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_store_did_not_take_is_read_again_by_the_next_run() {
    let folder = tempfile::tempdir().expect("folder");
    let (path, data) = (folder.path().join("audit.log"), folder.path().join("data"));
    let store = Arc::<MemoryStore>::default();
    append(&path, &format!("{}\n", event("a")));
    let following = Following::start(&path, &data, &store);
    until_written(&store, &["a"]).await;
    store.set_full(true);
    append(&path, &format!("{}\n", event("b")));
    tokio::time::sleep(Duration::from_millis(500)).await;
    following.end().await;
    store.set_full(false);
    let following = Following::start(&path, &data, &store);
    until_written(&store, &["a", "b"]).await;
    following.end().await;
}

/// What is kept of a write is what its diff needs: neither the request, nor status, nor who manages which field, nor secrets,
/// nor what is too long to be read.
#[tokio::test(flavor = "multi_thread")]
async fn audit_bodies_are_never_kept_whole() {
    let store = Arc::<MemoryStore>::default();
    let (address, _parts) = serve(&store, ReceiverSettings::default()).await;
    let long = "hidden-length ".repeat(2_000);
    let secret =
        event("token").replace("configmaps", "secrets").replace("\"kind\":\"ConfigMap\"", "\"kind\":\"Secret\"");
    let secret = secret
        .replace("\"resourceVersion\":\"7\"}", r#""resourceVersion":"7"},"data":{"password":"aGlkZGVuLXNlY3JldA=="}"#);
    let fields = r#""resourceVersion":"7","managedFields":[{"manager":"kubectl","operation":"Update","fieldsV1":{"f:hidden-field":{}}}],"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"hidden-configuration"}},"data":{"colour":"shown"},"status":{"note":"hidden-status"}"#;
    let plain = event("plain").replace("\"resourceVersion\":\"7\"}", fields);
    let plain =
        plain.replace("\"responseObject\"", r#""requestObject":{"data":{"colour":"hidden-request"}},"responseObject""#);
    let large = event("large")
        .replace("\"resourceVersion\":\"7\"}", &format!(r#""resourceVersion":"7"}},"data":{{"a":"{long}"}}"#));
    let body = format!(r#"{{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[{secret},{plain},{large}]}}"#);
    assert_eq!(post(&address, "/audit/prod", &[], body.as_bytes()).await, 200);
    assert_eq!(written(&store, "prod"), ["token", "plain", "large"]);
    let kept = format!("{:?}", store.facts("prod"));
    assert!(kept.contains("shown"), "a diff needs what was asked for: {kept}");
    for hidden in ["hidden", "aGlkZGVuLXNlY3JldA"] {
        assert!(!kept.contains(hidden), "{kept}");
    }
}
