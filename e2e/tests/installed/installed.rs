//! Installed, called, asked, killed, and removed: on both versions of Kubernetes.

use std::time::{Duration, Instant};

use clew_e2e::{Cluster, Identity, Options, Version};
use serde_json::Value;

use crate::harness::{eventually, name, turn, up};
use crate::objects::{objects, settled_objects};
use crate::pod::{Installed, make_volume};

const KEY: &str = "tracing.k8s.io/traceparent";

#[test]
fn clew_runs_as_a_pod_of_its_own_manifests_and_leaves_nothing_on_the_default_version() {
    lives_and_leaves(Version::V1_34_4, "installed-34");
}

#[test]
fn clew_runs_as_a_pod_of_its_own_manifests_and_leaves_nothing_on_the_newest_version() {
    lives_and_leaves(Version::V1_36_1, "installed-36");
}

fn lives_and_leaves(version: Version, cluster: &str) {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let cluster = up(Options { kubernetes: version, ..Options::new(name(cluster)) });
    make_volume(&cluster, "clew");
    let before = settled_objects(&cluster);

    let clew = Installed::new(&cluster, folder.path());
    clew.wait_until_called();
    let sources = clew.ask("/api/v1/status").unwrap()["sources"].as_array().unwrap().clone();
    for kind in ["admission", "certificate"] {
        let source = sources.iter().find(|source| source["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"));
        assert_eq!(source["state"], "up", "{source}");
    }
    assert!(!clew.curl("/api/v1/status", false).status.success(), "nobody is told anything without a token");

    admin(&cluster, &["create", "namespace", "shop"]);
    deployed(&cluster, "web");
    one_trace(&cluster, "web");
    let web = clew.converged("shop", "web");
    for kind in ["Deployment", "ReplicaSet", "Pod"] {
        let objects = web["objects"].as_array().unwrap();
        assert!(objects.iter().any(|object| object["kind"] == kind), "no {kind} in {web}");
    }

    let usual = create(&cluster, "usual");
    clew.kill();
    the_cluster_goes_on(&cluster, &clew, usual, "killed");
    admin(&cluster, &["-n", "clew", "delete", "pod", "clew-0", "--force", "--grace-period=0"]);
    the_cluster_goes_on(&cluster, &clew, usual, "deleted");
    assert_eq!(clew.converged("shop", "web")["journey"], web["journey"], "what was known is known again");

    admin(&cluster, &["delete", "namespace", "shop"]);
    clew.uninstall();
    eventually("nothing to be left", || {
        let left: Vec<String> = objects(&cluster).symmetric_difference(&before).cloned().collect();
        println!("{} differ: {:?}", left.len(), left.iter().take(5).collect::<Vec<_>>());
        left.is_empty().then_some(())
    });
}

/// How long a create takes.
fn create(cluster: &Cluster, name: &str) -> Duration {
    let start = Instant::now();
    admin(cluster, &["-n", "shop", "create", "configmap", name, "--from-literal=a=1"]);
    start.elapsed()
}

/// While clew is gone, creates take at most the webhook's second longer; afterwards the journeys are whole.
fn the_cluster_goes_on(cluster: &Cluster, clew: &Installed<'_>, usual: Duration, name: &str) {
    let took = create(cluster, &format!("{name}-settings"));
    println!("a create takes {usual:?}, and {took:?} with clew {name}");
    assert!(took < usual + Duration::from_secs(3), "one second of the webhook, and kubectl's own time: {took:?}");
    deployed(cluster, name);
    clew.wait_until_ready();
    let journey = clew.converged("shop", name);
    let pods = journey["objects"].as_array().unwrap().iter().filter(|object| object["kind"] == "Pod").count();
    assert_eq!(pods, 2, "{journey}");
    clew.wait_until_called();
}

fn admin(cluster: &Cluster, arguments: &[&str]) -> String {
    cluster.kubectl(Identity::Admin, arguments).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

fn deployed(cluster: &Cluster, name: &str) {
    admin(cluster, &["-n", "shop", "create", "deployment", name, "--image=clew/workload:1", "--replicas=2"]);
    admin(cluster, &["-n", "shop", "rollout", "status", "deployment", name, "--timeout=90s"]);
}

/// Controllers that know nothing of tracing pass the context on, since the webhook knows the owners.
fn one_trace(cluster: &Cluster, name: &str) {
    let contexts: Vec<String> = ["deployments", "replicasets", "pods"]
        .iter()
        .flat_map(|resource| {
            let list = admin(cluster, &["-n", "shop", "get", resource, "-l", &format!("app={name}"), "-o", "json"]);
            let list: Value = serde_json::from_str(&list).unwrap();
            list["items"].as_array().unwrap().clone()
        })
        .map(|object| object["metadata"]["annotations"][KEY].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(contexts.len(), 4, "a Deployment, a ReplicaSet and two pods");
    let trace = |context: &String| context.split('-').nth(1).unwrap_or_default().to_owned();
    assert!(
        contexts.iter().all(|context| !context.is_empty() && trace(context) == trace(&contexts[0])),
        "{contexts:?}"
    );
}
