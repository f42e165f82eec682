//! What goes out.

use std::collections::{BTreeMap, BTreeSet};

use clew_collect::CollectError;
use clew_collect::forward::{Endpoint, Forwarder, Settings};
use clew_testkit::otlp::Sink;
use clew_weave::State;
use opentelemetry_proto::tonic::common::v1::any_value::Value;

use crate::cluster::{Cluster, arrived, settings, wait_until};

#[tokio::test(flavor = "multi_thread")]
async fn a_journey_of_a_real_cluster_arrives_as_one_trace() {
    let cluster = Cluster::with(6);
    let sink = Sink::start().expect("sink");
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&sink.endpoint()]));
    cluster.tell(&forwarder);
    arrived(&sink, cluster.spans()).await;

    let mut traces: BTreeMap<Vec<u8>, Vec<_>> = BTreeMap::new();
    for span in sink.spans() {
        traces.entry(span.trace_id.clone()).or_default().push(span);
    }
    let expected: BTreeSet<Vec<u8>> =
        cluster.details.iter().map(|detail| detail.journey.journey.to_bytes().to_vec()).collect();
    assert_eq!(traces.keys().cloned().collect::<BTreeSet<_>>(), expected, "one trace for each journey");
    let mut original = 0;
    for spans in traces.values() {
        let ids: BTreeSet<_> = spans.iter().map(|span| span.span_id.clone()).collect();
        let roots = spans.iter().filter(|span| span.parent_span_id.is_empty()).count();
        assert_eq!(roots, 1, "one root");
        let orphans =
            spans.iter().filter(|span| !span.parent_span_id.is_empty() && !ids.contains(&span.parent_span_id));
        assert_eq!(orphans.count(), 0, "every span hangs on one that is there");
        let natives = spans.iter().flat_map(|span| &span.attributes);
        original += natives.filter(|pair| pair.key == "clew.original_trace_id").count();
    }
    assert_eq!(original, cluster.details.iter().map(|detail| detail.native.len()).sum::<usize>());
    assert!(original > 100, "the capture has native spans");
    let counts = wait_until(&forwarder, |counts| counts.endpoints[0].waiting_spans == 0).await;
    assert_eq!((counts.journeys, counts.endpoints[0].sent), (6, cluster.spans() as u64));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_changed_goes_out_again() {
    let cluster = Cluster::with(1);
    let sink = Sink::start().expect("sink");
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&sink.endpoint()]));
    cluster.tell(&forwarder);
    arrived(&sink, cluster.spans()).await;
    let mut changed = cluster.details[0].clone();
    changed.spans[0].attributes.push("late", "news");
    cluster.store.set_journey(changed);
    cluster.tell(&forwarder);
    arrived(&sink, cluster.spans() + 1).await;
    let last = sink.spans().pop().expect("the last");
    let late = last.attributes.iter().find(|pair| pair.key == "late").and_then(|pair| pair.value.clone());
    assert_eq!(late.and_then(|value| value.value), Some(Value::StringValue("news".into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journey_that_is_open_again_waits() {
    let cluster = Cluster::with(1);
    let sink = Sink::start().expect("sink");
    let folder = tempfile::tempdir().expect("folder");
    let forwarder = cluster.forwarder(&settings(folder.path(), &[&sink.endpoint()]));
    let mut open = cluster.details[0].clone();
    open.journey.state = State::Open;
    cluster.store.set_journey(open);
    cluster.tell(&forwarder);
    wait_until(&forwarder, |counts| counts.waiting == 0).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(forwarder.forwarded().journeys, 0);
    cluster.store.set_journey(cluster.details[0].clone());
    cluster.tell(&forwarder);
    arrived(&sink, cluster.spans()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_and_packing_are_as_asked_for() {
    let cluster = Cluster::with(1);
    let sink = Sink::start().expect("sink");
    let folder = tempfile::tempdir().expect("folder");
    let endpoint = Endpoint {
        url: sink.endpoint(),
        headers: vec![("Authorization".into(), "Bearer t0ken".into())],
        gzip: true,
        authorities: None,
    };
    let settings = Settings { endpoints: vec![endpoint], batch: 7, ..settings(folder.path(), &[]) };
    let forwarder = cluster.forwarder(&settings);
    cluster.tell(&forwarder);
    arrived(&sink, cluster.spans()).await;
    let received = sink.received();
    assert_eq!(received.len(), cluster.spans().div_ceil(7));
    assert_eq!(received[0].metadata.get("authorization").and_then(|value| value.to_str().ok()), Some("Bearer t0ken"));
    assert_eq!(received[0].metadata.get("grpc-encoding").and_then(|value| value.to_str().ok()), Some("gzip"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_is_none_is_named() {
    let cluster = Cluster::with(1);
    let folder = tempfile::tempdir().expect("folder");
    for url in ["localhost:4317", "ftp://localhost", "no url"] {
        let refused = Forwarder::start(&settings(folder.path(), &[url]), cluster.store.clone()).err().expect("refused");
        assert!(matches!(&refused, CollectError::Endpoint { url: named, .. } if named == url), "{refused}");
    }
}
