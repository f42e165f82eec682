//! kube-proxy with iptables, in the cluster's own network namespace.

use super::Component;
use super::flags::flags;
use crate::cluster::{Identity, Settings};
use crate::folders::RunDir;
use crate::node::address;
use crate::node::probe::Probe;

/// The proxy of `node1`; the machine's conntrack limits are left alone.
pub(crate) fn proxy(run: &RunDir, settings: &Settings) -> Component {
    let arguments = flags! {
        "kubeconfig": run.kubeconfig(Identity::Proxy),
        "proxy-mode": "iptables",
        "hostname-override": "node1",
        "cluster-cidr": address::PODS,
        "conntrack-max-per-core": "0",
    };
    let program = settings.tools.kubernetes().join("kube-proxy");
    Component { name: "kube-proxy", program, arguments, probe: Probe::Http(10256, "/healthz") }
}
