//! What the webhook costs a create.

use std::time::{Duration, Instant};

use clew_e2e::{Cluster, Identity};
use kube::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// A namespace in which no webhook is called, one of the empty webhook, and one of clew's.
const NAMESPACES: [&str; 3] = ["kube-system", EMPTY, "default"];
/// clew leaves it alone, so that the empty webhook can have it.
pub(crate) const EMPTY: &str = "kube-node-lease";
/// Creates in each namespace, for each number at once.
const CREATES: usize = 1_000;
/// How long the API server may take to learn of the webhook.
const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until the API server calls the webhook of a namespace.
fn wait_for_the_webhook(cluster: &Cluster, namespace: &str) {
    let start = Instant::now();
    let asked = ["create", "configmap", "x", "--dry-run=server", "-o", "json", "-n", namespace];
    while !cluster.kubectl(Identity::Alice, &asked).is_ok_and(|text| text.contains("tracing.k8s.io/traceparent")) {
        assert!(start.elapsed() < PATIENCE, "the API server does not call the webhook");
    }
}

/// Waits until the API server calls both webhooks.
pub(crate) fn wait_for_the_webhooks(cluster: &Cluster) {
    for namespace in &NAMESPACES[1..] {
        wait_for_the_webhook(cluster, namespace);
    }
}

/// Creates without a webhook, with one that does nothing, and with clew's, in milliseconds, one at once and 64.
pub(crate) async fn measure(client: &Client) -> Value {
    let mut lines = Vec::new();
    for at_once in [1, 64] {
        let [without, empty, clew] = each(client, at_once).await;
        lines.push(json!({"atOnce": at_once, "without": without, "empty": empty, "clew": clew}));
    }
    Value::from(lines)
}

/// The median and the 99th percentile of creates in each namespace, turn by turn under the same load.
async fn each(client: &Client, at_once: usize) -> [Value; NAMESPACES.len()] {
    let mut took = [const { Vec::new() }; NAMESPACES.len()];
    let mut making = JoinSet::new();
    for number in 0..CREATES * NAMESPACES.len() {
        if making.len() >= at_once {
            keep(&mut took, making.join_next().await);
        }
        let client = client.clone();
        making.spawn(async move { (number % NAMESPACES.len(), create(&client, at_once, number).await) });
    }
    while let Some(made) = making.join_next().await {
        keep(&mut took, Some(made));
    }
    took.map(|mut took| {
        took.sort();
        let at = |share: usize| took[(took.len() - 1) * share / 100].as_secs_f64() * 1e3;
        json!({"p50": at(50), "p99": at(99)})
    })
}

fn keep(took: &mut [Vec<Duration>], made: Option<Result<(usize, Duration), tokio::task::JoinError>>) {
    let (place, time) = made.unwrap().unwrap();
    took[place].push(time);
}

async fn create(client: &Client, at_once: usize, number: usize) -> Duration {
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("create-{at_once}-{number}")}, "data": {"a": "1"},
    });
    let path = format!("/api/v1/namespaces/{}/configmaps", NAMESPACES[number % NAMESPACES.len()]);
    let request = http::Request::post(path).header("Content-Type", "application/json");
    let request = request.body(object.to_string().into_bytes()).unwrap();
    let start = Instant::now();
    let made = client.request::<Value>(request).await.unwrap();
    let took = start.elapsed();
    assert_eq!(made["metadata"]["annotations"].is_object(), !number.is_multiple_of(NAMESPACES.len()), "{made}");
    took
}
