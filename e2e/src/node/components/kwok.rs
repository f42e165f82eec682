//! kwok, which plays the simulated nodes and the pods on them.

use std::path::Path;

use super::Component;
use super::flags::flags;
use crate::cluster::Identity;
use crate::folders::RunDir;
use crate::node::address::KWOK;
use crate::node::probe::Probe;
use crate::tools::STAGES_FILE;

/// The simulator; it looks after the nodes that carry its annotation, and no others.
pub(crate) fn kwok(run: &RunDir, folder: &Path) -> Component {
    let arguments = flags! {
        "config": folder.join(STAGES_FILE),
        "kubeconfig": run.kubeconfig(Identity::Kwok),
        "manage-all-nodes": "false",
        "manage-nodes-with-annotation-selector": "kwok.x-k8s.io/node=fake",
        "node-lease-duration-seconds": "40",
        "server-address": format!("127.0.0.1:{KWOK}"),
    };
    Component { name: "kwok", program: folder.join("kwok"), arguments, probe: Probe::Http(KWOK, "/healthz") }
}
