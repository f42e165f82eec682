//! containerd with Debian's runc and CNI plugins, its state on the cluster's tmpfs.

use serde_json::json;

use super::Component;
use super::flags::flags;
use crate::Result;
use crate::folders::{RunDir, write};
use crate::images::PAUSE;
use crate::node::address;
use crate::node::probe::Probe;

/// The container runtime, with its configuration written.
pub(crate) fn containerd(run: &RunDir) -> Result<Component> {
    write(&run.config("containerd.toml"), configuration(run))?;
    write(&run.config("cni/10-clew.conflist"), network(run))?;
    let arguments = flags! { "config": run.config("containerd.toml") };
    let probe = Probe::Socket(run.containerd_socket());
    Ok(Component { name: "containerd", program: "containerd".into(), arguments, probe })
}

/// `restrict_oom_score_adj` is needed where root lacks `CAP_SYS_RESOURCE`.
fn configuration(run: &RunDir) -> String {
    let (state, socket) = (run.state(), run.containerd_socket());
    let (state, socket, cni) = (state.display(), socket.display(), run.config("cni"));
    format!(
        r#"version = 2
root = "{state}/containerd/root"
state = "{state}/containerd/state"
[grpc]
address = "{socket}"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{PAUSE}"
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "{}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
"#,
        cni.display()
    )
}

fn network(run: &RunDir) -> String {
    let addresses = json!({
        "type": "host-local",
        "ranges": [[{"subnet": address::PODS}]],
        "routes": [{"dst": "0.0.0.0/0"}],
        "dataDir": run.state().join("cni"),
    });
    let bridge = json!({
        "type": "bridge",
        "bridge": "cni0",
        "isGateway": true,
        "ipMasq": true,
        "hairpinMode": true,
        "ipam": addresses,
    });
    json!({"cniVersion": "0.4.0", "name": "clew", "plugins": [bridge, {"type": "loopback"}]}).to_string()
}
