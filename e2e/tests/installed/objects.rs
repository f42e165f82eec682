//! Every object of a cluster, by name.

use std::collections::BTreeSet;

use clew_e2e::{Cluster, Identity};

use crate::harness::eventually;

/// What comes and goes by itself.
const RESTLESS: [&str; 3] = ["events", "events.events.k8s.io", "componentstatuses"];

/// Kind, namespace and name of all objects that can be listed.
pub(crate) fn objects(cluster: &Cluster) -> BTreeSet<String> {
    let admin = |arguments: &[&str]| {
        cluster.kubectl(Identity::Admin, arguments).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
    };
    let resources = admin(&["api-resources", "--verbs=list", "--cached=false", "-o", "name"]);
    let all: Vec<&str> = resources.lines().filter(|name| !RESTLESS.contains(name)).collect();
    assert!(all.len() > 40, "all that Kubernetes has: {all:?}");
    let columns = "custom-columns=KIND:.kind,NAMESPACE:.metadata.namespace,NAME:.metadata.name";
    let listed = admin(&["get", &all.join(","), "--all-namespaces", "--no-headers", "-o", columns]);
    listed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The same, once a young cluster has made what it makes by itself: each namespace and each node has what belongs to it.
pub(crate) fn settled_objects(cluster: &Cluster) -> BTreeSet<String> {
    let mut before = BTreeSet::new();
    eventually("the young cluster to settle", || {
        let now = objects(cluster);
        let count = |start: &str, end: &str| now.iter().filter(|it| it.starts_with(start) && it.ends_with(end)).count();
        let namespaces = count("Namespace ", "");
        let is_whole = count("ServiceAccount ", " default") == namespaces
            && count("ConfigMap ", " kube-root-ca.crt") == namespaces
            && count("Lease kube-node-lease ", "") == count("Node ", "");
        let is_settled = is_whole && now == before;
        before = now;
        is_settled.then(|| before.clone())
    })
}
