//! The kubelet of `node1`.

use serde_json::json;

use super::Component;
use super::flags::flags;
use crate::Result;
use crate::cluster::{Identity, Settings};
use crate::folders::{RunDir, write};
use crate::node::address;
use crate::node::probe::Probe;

/// The kubelet, with its configuration written.
pub(crate) fn kubelet(run: &RunDir, settings: &Settings) -> Result<Component> {
    let path = run.config("kubelet.json");
    write(&path, configuration(run, settings).to_string())?;
    let arguments = flags! {
        "config": path,
        "kubeconfig": run.kubeconfig(Identity::Node),
        "hostname-override": "node1",
        "node-ip": address::NODE,
        "root-dir": run.state().join("kubelet"),
        "cert-dir": run.state().join("kubelet-pki"),
    };
    let program = settings.tools.kubernetes().join("kubelet");
    Ok(Component { name: "kubelet", program, arguments, probe: Probe::Http(10248, "/healthz") })
}

/// Nothing is evicted for want of room, since the room is the machine's; `failCgroupV1` matters from v1.35 on.
fn configuration(run: &RunDir, settings: &Settings) -> serde_json::Value {
    let options = &settings.options;
    let containerd = run.containerd_socket().display().to_string();
    let runtime = options.cri_endpoint.as_deref().unwrap_or(&containerd);
    let mut config = json!({
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": format!("/{}", options.name.cgroup()),
        "failSwapOn": false,
        "failCgroupV1": false,
        "enforceNodeAllocatable": [],
        "evictionHard": {
            "memory.available": "0%",
            "nodefs.available": "0%",
            "imagefs.available": "0%",
            "nodefs.inodesFree": "0%",
        },
        "authentication": {"anonymous": {"enabled": true}, "webhook": {"enabled": false}},
        "authorization": {"mode": "AlwaysAllow"},
        "containerRuntimeEndpoint": format!("unix://{runtime}"),
        "resolvConf": "",
        "podLogsDir": run.state().join("pod-logs"),
        "volumePluginDir": run.state().join("volume-plugins"),
    });
    if let Some(endpoint) = &options.tracing_endpoint {
        let rate = options.sampling_rate_per_million;
        config["tracing"] = json!({"endpoint": endpoint, "samplingRatePerMillion": rate});
    }
    config
}
