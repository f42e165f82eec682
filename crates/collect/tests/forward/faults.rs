//! Endpoints that fail, and what waits for them.

use std::time::Duration;

use clew_collect::forward::{Forwarded, Settings};
use clew_testkit::otlp::Sink;
use tonic::Code;

use crate::cluster::{Cluster, PATIENCE, arrived, settings, wait_until};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_for_now_arrives_later_and_once() {
    let cluster = Cluster::with(3);
    let sink = Sink::start().expect("sink");
    sink.refuse(Some(Code::Unavailable));
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&sink.endpoint()]));
    cluster.tell(&forwarder);
    let waiting = wait_until(&forwarder, |counts| counts.endpoints[0].retries >= 3).await;
    assert!(waiting.endpoints[0].waiting_spans > 0 && waiting.endpoints[0].sent == 0);
    assert!(waiting.endpoints[0].last_error.as_deref().is_some_and(|error| error.contains("Unavailable")));
    sink.refuse(None);
    arrived(&sink, cluster.spans()).await;
    let done = wait_until(&forwarder, |counts| counts.endpoints[0].waiting_spans == 0).await;
    assert_eq!(done.endpoints[0].last_error, None);
    assert!(done.endpoints[0].dropped.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_will_never_be_taken_is_dropped_and_counted() {
    let cluster = Cluster::with(1);
    let sink = Sink::start().expect("sink");
    sink.refuse(Some(Code::InvalidArgument));
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&sink.endpoint()]));
    cluster.tell(&forwarder);
    let spans = cluster.spans() as u64;
    let counts = wait_until(&forwarder, |counts| !counts.endpoints[0].dropped.is_empty()).await;
    let done = wait_until(&forwarder, |counts| counts.endpoints[0].waiting_spans == 0).await;
    assert_eq!(done.endpoints[0].dropped.get("invalid_argument"), Some(&spans), "{counts:?}");
    assert_eq!(done.endpoints[0].retries, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_vanished_gets_everything_when_it_comes_back() {
    let cluster = Cluster::with(3);
    let sink = Sink::start().expect("sink");
    let (address, endpoint) = (sink.address(), sink.endpoint());
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&endpoint]));
    drop(sink);
    cluster.tell(&forwarder);
    wait_until(&forwarder, |counts| counts.endpoints[0].retries >= 2).await;
    let sink = Sink::listen(address).expect("the address is free again");
    arrived(&sink, cluster.spans()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_hangs_is_not_waited_for() {
    let cluster = Cluster::with(1);
    let hanging = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bind");
    let address = hanging.local_addr().expect("address");
    let silent = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = hanging.accept().await {
            held.push(stream);
        }
    });
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&format!("http://{address}")]));
    cluster.tell(&forwarder);
    let waiting = wait_until(&forwarder, |counts| counts.endpoints[0].retries >= 2).await;
    assert!(waiting.endpoints[0].last_error.is_some());
    silent.abort();
    let _ = silent.await;
    let sink = Sink::listen(address).expect("the address is free again");
    arrived(&sink, cluster.spans()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_survives_a_restart_and_nothing_goes_out_twice() {
    let cluster = Cluster::with(3);
    let sink = Sink::start().expect("sink");
    sink.refuse(Some(Code::Unavailable));
    let folder = tempfile::tempdir().expect("folder");
    let settings = settings(folder.path(), &[&sink.endpoint()]);
    let forwarder = cluster.forwarder(&settings);
    cluster.tell(&forwarder);
    // At once: what has not settled yet must be on disk too.
    let left = forwarder.shut_down(Duration::from_millis(500)).await;
    assert_eq!(left.endpoints[0].waiting_spans, cluster.spans() as u64);
    sink.refuse(None);
    let forwarder = cluster.forwarder(&settings);
    // After a restart the loom gives out every journey again.
    cluster.tell(&forwarder);
    arrived(&sink, cluster.spans()).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let ended = forwarder.shut_down(PATIENCE).await;
    assert_eq!((ended.journeys, ended.endpoints[0].waiting_spans), (0, 0));
    assert_eq!(sink.spans().len(), cluster.spans());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_is_used_up_to_its_limit() {
    let cluster = Cluster::with(3);
    let sink = Sink::start().expect("sink");
    sink.refuse(Some(Code::Unavailable));
    let folder = tempfile::tempdir().expect("folder");
    let settings = Settings { spool_bytes: 60_000, batch: 20, ..settings(folder.path(), &[&sink.endpoint()]) };
    let forwarder = cluster.forwarder(&settings);
    cluster.tell(&forwarder);
    let accounted = |counts: &Forwarded| {
        let lane = &counts.endpoints[0];
        lane.waiting_spans + lane.dropped.values().sum::<u64>() == cluster.spans() as u64
    };
    let full = wait_until(&forwarder, accounted).await.endpoints.remove(0);
    assert!(full.waiting_bytes <= 60_000 && full.waiting_spans > 0, "{full:?}");
    assert!(full.dropped["spool_full"] > 0, "{full:?}");
    sink.refuse(None);
    arrived(&sink, usize::try_from(full.waiting_spans).expect("small")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_fails_holds_up_no_other() {
    let cluster = Cluster::with(2);
    let (well, ill) = (Sink::start().expect("sink"), Sink::start().expect("sink"));
    ill.refuse(Some(Code::Unavailable));
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&ill.endpoint(), &well.endpoint()]));
    cluster.tell(&forwarder);
    arrived(&well, cluster.spans()).await;
    assert_eq!(ill.spans().len(), 0);
    ill.refuse(None);
    arrived(&ill, cluster.spans()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_fails_is_asked_again() {
    let cluster = Cluster::with(1);
    let sink = Sink::start().expect("sink");
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&sink.endpoint()]));
    cluster.store.set_full(true);
    cluster.tell(&forwarder);
    wait_until(&forwarder, |counts| counts.store_failures == 1).await;
    cluster.store.set_full(false);
    arrived(&sink, cluster.spans()).await;
}
