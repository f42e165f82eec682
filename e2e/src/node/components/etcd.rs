//! etcd, without syncing to disk: a test cluster's data need not survive the machine.

use super::Component;
use super::flags::flags;
use crate::folders::RunDir;
use crate::node::address::ETCD;
use crate::node::probe::Probe;

/// The store of the API server.
pub(crate) fn etcd(run: &RunDir) -> Component {
    let (clients, peers) = (format!("http://127.0.0.1:{}", ETCD.0), format!("http://127.0.0.1:{}", ETCD.1));
    let mut arguments = flags! {
        "data-dir": run.state().join("etcd"),
        "listen-client-urls": clients,
        "advertise-client-urls": clients,
        "listen-peer-urls": peers,
    };
    arguments.push("--unsafe-no-fsync".to_owned());
    Component { name: "etcd", program: "etcd".into(), arguments, probe: Probe::Http(ETCD.0, "/health") }
}
