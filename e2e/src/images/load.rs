//! Loads an image into a running cluster.

use std::path::Path;
use std::process::Command;

use crate::{Cluster, Result, shell};

/// Imports an archive into the cluster's containerd, which is reachable from outside by its socket.
pub fn load(cluster: &Cluster, archive: &Path) -> Result<()> {
    import(&cluster.folder().containerd_socket(), archive)
}

pub(crate) fn import(socket: &Path, archive: &Path) -> Result<()> {
    let mut command = Command::new("ctr");
    command.arg("--address").arg(socket).args(["--namespace", "k8s.io", "images", "import"]);
    shell::run(command.arg(archive)).map(drop)
}
