//! What the webhook costs a create, and what it costs when it hangs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clew_collect::live::{SourceKind, connect};
use clew_e2e::{Cluster, Identity, Options};
use clew_model::annotation::Codec;
use clew_server::admission::{Reached, Settings, Trust, Webhook, configuration, router};
use kube::Client;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::harness::{eventually, name, turn, up};
use crate::live::{CLUSTER, parts};
use crate::tls;

/// A namespace that the webhook's configuration leaves out, and one that it does not.
const NAMESPACES: [&str; 2] = ["kube-system", "default"];
/// Creates in each namespace, for each number at once.
const CREATES: usize = 400;

#[test]
fn a_webhook_that_hangs_costs_a_second_and_refuses_nothing() {
    let _turn = turn();
    let runtime = Runtime::new().unwrap();
    let hangs = axum::Router::new().fallback(|| async { tokio::time::sleep(Duration::from_mins(5)).await });
    let (port, authority) = tls::serve(&runtime, hangs);
    let cluster = up(Options { control_plane_only: true, reach: vec![port], ..Options::new(name("live-hangs")) });
    let make = |name: &str| {
        let start = Instant::now();
        let made = cluster.kubectl(Identity::Alice, &["create", "configmap", name, "--from-literal=a=1"]);
        made.unwrap_or_else(|error| panic!("{error}"));
        start.elapsed()
    };
    let before = make("before");
    configure(&cluster, port, &authority);
    let mut number = 0;
    let slow = eventually("the API server to call the webhook", || {
        number += 1;
        Some(make(&format!("after-{number}"))).filter(|took| *took > Duration::from_secs(1))
    });
    println!("a create took {before:?} without the webhook and {slow:?} with one that hangs");
    assert!(slow < before + Duration::from_secs(2), "one second of the webhook, and the create itself: {slow:?}");
}

#[test]
#[ignore = "a measurement, which needs the machine for itself"]
fn a_create_takes_hardly_longer_with_the_webhook() {
    let _turn = turn();
    let runtime = Runtime::new().unwrap();
    let parts = parts(&runtime, &Arc::default(), None);
    let webhook = Webhook {
        settings: Arc::new(Settings { cluster: CLUSTER.into(), codec: Codec::default(), templates: false }),
        contexts: Arc::clone(&parts.contexts),
        facts: None,
        source: parts.sources.of(CLUSTER, SourceKind::Admission, "webhook"),
    };
    let (port, authority) = tls::serve(&runtime, router(webhook));
    let cluster = up(Options { control_plane_only: true, reach: vec![port], ..Options::new(name("live-cost")) });
    configure(&cluster, port, &authority);
    eventually("the API server to call the webhook", || {
        let made = cluster.kubectl(Identity::Alice, &["create", "configmap", "x", "--dry-run=server", "-o", "json"]);
        made.ok().filter(|text| text.contains("tracing.k8s.io/traceparent"))
    });
    let client = runtime.block_on(connect(Some(&cluster.kubeconfig(Identity::Alice)), None)).unwrap().client;
    for at_once in [1, 64] {
        let [without, with] = runtime.block_on(measure(&client, at_once));
        println!(
            "{at_once} at once, without and with: p50 {:?} {:?}, p99 {:?} {:?}",
            without.0, with.0, without.1, with.1
        );
        assert!(with.0 < without.0 * 3, "a create takes three times as long");
    }
}

fn configure(cluster: &Cluster, port: u16, authority: &str) {
    let reached = Reached::Url(format!("https://127.0.0.1:{port}"));
    let object = configuration("clew", &reached, &Trust::Authorities(authority.to_owned())).to_string();
    cluster.kubectl_with(Identity::Admin, &["apply", "-f", "-"], &object).unwrap_or_else(|error| panic!("{error}"));
}

/// The median and the 99th percentile of creates in each namespace, turn by turn under the same load.
async fn measure(client: &Client, at_once: usize) -> [(Duration, Duration); 2] {
    let mut took = [Vec::new(), Vec::new()];
    let mut making = JoinSet::new();
    for number in 0..CREATES * 2 {
        if making.len() >= at_once {
            keep(&mut took, making.join_next().await);
        }
        let client = client.clone();
        making.spawn(async move { (number % 2, create(&client, at_once, number).await) });
    }
    while let Some(made) = making.join_next().await {
        keep(&mut took, Some(made));
    }
    took.map(|mut took| {
        took.sort();
        (took[took.len() / 2], took[took.len() * 99 / 100])
    })
}

fn keep(took: &mut [Vec<Duration>; 2], made: Option<Result<(usize, Duration), tokio::task::JoinError>>) {
    let (place, time) = made.unwrap().unwrap();
    took[place].push(time);
}

async fn create(client: &Client, at_once: usize, number: usize) -> Duration {
    let object = serde_json::json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("made-{at_once}-{number}")}, "data": {"a": "1"},
    });
    let path = format!("/api/v1/namespaces/{}/configmaps", NAMESPACES[number % 2]);
    let request = http::Request::post(path).header("Content-Type", "application/json");
    let request = request.body(object.to_string().into_bytes()).unwrap();
    let start = Instant::now();
    let made = client.request::<serde_json::Value>(request).await.unwrap();
    let took = start.elapsed();
    assert_eq!(made["metadata"]["annotations"].is_object(), number % 2 == 1, "{made}");
    took
}
