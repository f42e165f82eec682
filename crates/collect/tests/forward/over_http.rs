//! OTLP out over HTTP, to clew's own receiver.

use clew_collect::forward::Settings;

use crate::cluster::{Cluster, settings, wait_until};
use crate::server::{self, Server};

fn endpoint_of(server: &Server, folder: &std::path::Path) -> Settings {
    settings(folder, &[&format!("http://{}/v1/traces", server.http())])
}

#[tokio::test(flavor = "multi_thread")]
async fn journeys_arrive_over_http_plain_and_packed() {
    for gzip in [false, true] {
        let (cluster, server) = (Cluster::with(3), Server::start(&server::settings()).await);
        let folder = tempfile::tempdir().expect("folder");
        let mut settings = endpoint_of(&server, folder.path());
        settings.endpoints[0].gzip = gzip;
        let forwarder = cluster.forwarder(&settings);
        cluster.tell(&forwarder);
        let spans = cluster.spans();
        let done = wait_until(&forwarder, |counts| counts.endpoints[0].sent == spans as u64).await;
        assert!(done.endpoints[0].dropped.is_empty() && done.endpoints[0].last_error.is_none(), "{done:?}");
        assert_eq!(server.spans().len(), spans);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_full_endpoint_refuses_over_http_arrives_later_and_once() {
    let (cluster, server) = (Cluster::with(2), Server::start(&server::settings()).await);
    server.store.set_full(true);
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&endpoint_of(&server, folder.path()));
    cluster.tell(&forwarder);
    let waiting = wait_until(&forwarder, |counts| counts.endpoints[0].retries >= 1).await;
    assert!(waiting.endpoints[0].last_error.as_deref().is_some_and(|error| error.contains("503")), "{waiting:?}");
    server.store.set_full(false);
    let spans = cluster.spans();
    wait_until(&forwarder, |counts| counts.endpoints[0].sent == spans as u64).await;
    assert_eq!(server.spans().len(), spans);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_takes_no_spans_is_told_and_counted() {
    let (cluster, server) = (Cluster::with(1), Server::start(&server::settings()).await);
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&format!("http://{}/elsewhere", server.http())]));
    cluster.tell(&forwarder);
    let done = wait_until(&forwarder, |counts| !counts.endpoints[0].dropped.is_empty()).await;
    assert!(done.endpoints[0].dropped.contains_key("unimplemented"), "{done:?}");
}
