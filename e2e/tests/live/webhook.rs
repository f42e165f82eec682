//! The admission webhook, called by a real API server.

use std::collections::BTreeMap;
use std::sync::Arc;

use clew_collect::live::SourceKind;
use clew_e2e::{Cluster, Identity, Options};
use clew_model::TraceContext;
use clew_model::annotation::Codec;
use clew_server::admission::{AdmissionFacts, Reached, Settings, Trust, Webhook, configuration, router};
use clew_weave::fact::{Fact, Verb, Write};
use serde_json::Value;

use crate::harness::{eventually, name, turn, up};
use crate::live::{CLUSTER, Live};
use crate::tls;

const KEY: &str = "tracing.k8s.io/traceparent";

#[test]
fn objects_get_their_context_and_the_controllers_write_no_more_than_without() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let late = Arc::new(std::sync::OnceLock::<Webhook>::new());
    let (port, authority) = tls::serve(&runtime, later(Arc::clone(&late)));
    let cluster = up(Options { reach: vec![port], ..Options::new(name("live-webhook")) });
    let mut live = Live::start(&cluster, folder.path(), Arc::default());
    live.follow_audit(&cluster);
    let _ = late.set(webhook(&live));

    let without = writes_of_a_rollout(&cluster, &live, "without");
    let reached = Reached::Url(format!("https://127.0.0.1:{port}"));
    let object = configuration("clew", &reached, &Trust::Authorities(authority.clone())).to_string();
    cluster.kubectl_with(Identity::Admin, &["apply", "-f", "-"], &object).unwrap_or_else(|error| panic!("{error}"));
    eventually("the API server to call the webhook", || {
        let made =
            cluster.kubectl(Identity::Alice, &["create", "configmap", "probe", "--dry-run=server", "-o", "json"]);
        made.ok().filter(|text| text.contains(KEY))
    });
    let with = writes_of_a_rollout(&cluster, &live, "with");
    println!("writes without the webhook: {without:?}\nwith it: {with:?}");
    the_hierarchy_has_one_trace(&cluster);
    // One ReplicaSet update for each change of the Deployment: its annotations are copied.
    let replicasets = |writes: &BTreeMap<String, usize>| writes.get("update replicasets").copied().unwrap_or(0);
    let extra = replicasets(&with).saturating_sub(replicasets(&without));
    assert!(extra <= 3, "at most one for each of three changes: {extra}");
    for (what, count) in &with {
        if what != "update replicasets" {
            // Status updates are batched by time: one more or less is no loop.
            let before = without.get(what).copied().unwrap_or(0);
            assert!(count.abs_diff(before) <= 3, "{what}: {before} without, {count} with");
        }
    }
    live.end();
}

/// A router for a webhook whose parts are there only after the cluster is.
fn later(webhook: Arc<std::sync::OnceLock<Webhook>>) -> axum::Router {
    use tower::ServiceExt as _;
    axum::Router::new().fallback(move |request: axum::extract::Request| {
        let webhook = webhook.get().cloned();
        async move {
            let webhook = webhook.expect("the webhook is called after it was set up");
            router(webhook).oneshot(request).await
        }
    })
}

fn webhook(live: &Live) -> Webhook {
    let _entered = live.runtime().enter();
    Webhook {
        settings: Arc::new(Settings { cluster: CLUSTER.into(), codec: Codec::default(), templates: false }),
        contexts: Arc::clone(&live.parts.contexts),
        facts: Some(AdmissionFacts::start(CLUSTER.into(), live.parts.intake.clone())),
        source: live.parts.sources.of(CLUSTER, SourceKind::Admission, "webhook"),
    }
}

/// Three changes of a Deployment in a namespace of its own: how often controllers wrote what.
fn writes_of_a_rollout(cluster: &Cluster, live: &Live, namespace: &str) -> BTreeMap<String, usize> {
    let alice = |arguments: &[&str]| {
        let all: Vec<&str> = ["-n", namespace].iter().chain(arguments).copied().collect();
        cluster.kubectl(Identity::Alice, &all).unwrap_or_else(|error| panic!("{error}"))
    };
    cluster.kubectl(Identity::Alice, &["create", "namespace", namespace]).unwrap();
    eventually("the service account", || {
        cluster.kubectl(Identity::Alice, &["-n", namespace, "get", "serviceaccount", "default"]).ok()
    });
    alice(&["create", "deployment", "web", "--image=clew/workload:1", "--replicas=2"]);
    alice(&["rollout", "status", "deployment", "web", "--timeout=90s"]);
    alice(&["set", "env", "deployment/web", "COLOUR=green"]);
    alice(&["rollout", "status", "deployment", "web", "--timeout=90s"]);
    // Not `kubectl scale`: no webhook can give the Deployment a context when its subresource is written.
    alice(&["patch", "deployment", "web", "-p", r#"{"spec": {"replicas": 1}}"#]);
    std::thread::sleep(std::time::Duration::from_secs(8));
    let mut counts = BTreeMap::new();
    for fact in live.store.facts(CLUSTER) {
        if let Fact::Write(write) = fact
            && write.target.namespace == namespace
            && is_by_deployments(&write)
        {
            *counts.entry(format!("{} {}", write.verb.as_str(), write.target.kind.resource)).or_default() += 1;
        }
    }
    counts
}

/// Writes of the controllers whose objects the webhook touches; their status updates come as they come.
fn is_by_deployments(write: &Write) -> bool {
    let is_theirs = ["deployment-controller", "replicaset-controller"].iter().any(|it| write.actor.user.ends_with(it));
    is_theirs && write.target.subresource.is_empty() && write.verb != Verb::Delete
}

/// The Deployment, its ReplicaSets and their pods, made by controllers that know nothing of tracing.
fn the_hierarchy_has_one_trace(cluster: &Cluster) {
    let get = |resource: &str| -> Vec<Value> {
        let text = cluster.kubectl(Identity::Admin, &["-n", "with", "get", resource, "-o", "json"]).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["items"].as_array().unwrap().clone()
    };
    let trace = |object: &Value| {
        let value = object["metadata"]["annotations"][KEY].as_str().unwrap_or_else(|| panic!("no context: {object}"));
        TraceContext::parse_traceparent(value).unwrap().trace_id
    };
    let (deployment, sets, pods) = (get("deployments"), get("replicasets"), get("pods"));
    assert_eq!((deployment.len(), sets.len(), pods.len()), (1, 2, 1));
    let (new, old) = sets.iter().partition::<Vec<&Value>, _>(|set| set["spec"]["replicas"] == 1);
    assert_eq!(trace(new[0]), trace(&deployment[0]), "the last change reached the new ReplicaSet");
    assert_eq!(trace(old[0]), trace(&pods[0]), "the change before made the pod, and ended the old ReplicaSet");
    assert_ne!(trace(new[0]), trace(old[0]), "each change has a trace of its own");
}
