//! Debian's packages that a cluster runs on.

use std::process::Command;

use crate::{Error, Result, shell};

/// (package, a program or file of it, why a cluster needs it)
const NEEDED: [(&str, &str, &str); 10] = [
    ("etcd-server", "etcd", "the API server's store"),
    ("containerd", "containerd", "the container runtime"),
    ("runc", "runc", "starts containers"),
    ("containernetworking-plugins", "/usr/lib/cni/bridge", "gives pods their network"),
    ("iptables", "iptables", "kube-proxy's rules"),
    ("conntrack", "conntrack", "kube-proxy's connection tracking"),
    ("iproute2", "ip", "sets the node's network up"),
    ("util-linux", "nsenter", "enters a cluster's namespaces"),
    ("zstd", "zstd", "packs recordings"),
    ("openssl", "openssl", "makes the cluster's keys"),
];

/// Says which packages are missing, and what to do, before anything is started.
pub(crate) fn check() -> Result<()> {
    let missing: Vec<&str> = missing().map(|(package, ..)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    Err(Error::Unfit(format!("packages are missing: {list}; `cargo xtask setup` installs them")))
}

/// Installs the packages that are missing with apt-get, saying what for.
pub(crate) fn install(tell: &mut dyn FnMut(&str)) -> Result<()> {
    let wanted: Vec<&str> = missing().map(|(package, ..)| *package).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    for (package, _, why) in missing() {
        tell(&format!("installing {package}: {why}, and it is not on this machine"));
    }
    // RUNLEVEL=1 keeps the packages' own services from being started on the machine.
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").env("RUNLEVEL", "1");
        command
    };
    shell::run_visibly(&mut apt(&["update", "-qq"]))?;
    shell::run_visibly(apt(&["install", "-qq", "-y", "--no-install-recommends"]).args(wanted))
}

fn missing() -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str)> {
    NEEDED.iter().filter(|(_, program, _)| !is_there(program))
}

fn is_there(program: &str) -> bool {
    if program.starts_with('/') {
        return std::path::Path::new(program).exists();
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let folders = path.split(':').chain(["/usr/sbin", "/sbin"]);
    folders.into_iter().any(|folder| std::path::Path::new(folder).join(program).is_file())
}
