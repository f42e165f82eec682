//! Simulated nodes: objects that kwok keeps Ready, for scale without kubelets.

use serde_json::{Value, json};

use super::kubectl::Kubectl;
use crate::Result;
use crate::cluster::Options;

/// Makes the Node objects that kwok looks after.
pub(crate) fn create_nodes(options: &Options, kubectl: &Kubectl) -> Result<()> {
    let items: Vec<Value> = (0..options.kwok).map(|number| node(number, options)).collect();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
    // Without the schemas: they take a busy machine longer to load than kubectl waits.
    kubectl.run_with_input(&["create", "--validate=false", "-f", "-"], &list.to_string()).map(drop)
}

fn node(number: u32, options: &Options) -> Value {
    let name = format!("kwok-{number}");
    // Beside a real node, only what asks for a simulated one shall land there.
    let taints = if options.control_plane_only {
        json!([])
    } else {
        json!([{"key": "kwok.x-k8s.io/node", "value": "fake", "effect": "NoSchedule"}])
    };
    let room = json!({"cpu": "32", "memory": "256Gi", "pods": "110"});
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "annotations": {"kwok.x-k8s.io/node": "fake", "node.alpha.kubernetes.io/ttl": "0"},
            "labels": {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "type": "kwok"},
        },
        "spec": {"taints": taints},
        "status": {"allocatable": room, "capacity": room},
    })
}
