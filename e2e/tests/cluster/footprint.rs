//! What a cluster may leave on the machine, taken before and after.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clew_e2e::Name;
use clew_e2e::folders::RunDir;

/// Places outside its own folder where the components of a cluster write when nothing covers them.
const PLACES: [&str; 8] = [
    "/run/containerd",
    "/run/netns",
    "/run/xtables.lock",
    "/var/lib/cni",
    "/var/lib/kubelet",
    "/var/log/containers",
    "/var/log/pods",
    "/usr/libexec/kubernetes",
];
/// What the kubelet would set for the whole machine.
const TUNABLES: [&str; 3] = ["vm/overcommit_memory", "kernel/panic", "kernel/keys/root_maxkeys"];

/// The traces of one cluster on the machine.
#[derive(Debug, PartialEq)]
pub(crate) struct Footprint {
    processes: Vec<String>,
    mounts: Vec<String>,
    interfaces: Vec<String>,
    cgroups: Vec<PathBuf>,
}

/// What any cluster with a kubelet would change for the whole machine if nothing covered it.
#[derive(Debug, PartialEq)]
pub(crate) struct Machine {
    places: Vec<&'static str>,
    tunables: BTreeMap<&'static str, String>,
}

impl Machine {
    pub(crate) fn now() -> Self {
        let tunables = TUNABLES.map(|tunable| (tunable, read(Path::new("/proc/sys").join(tunable))));
        Self {
            places: PLACES.into_iter().filter(|place| Path::new(place).exists()).collect(),
            tunables: tunables.into_iter().collect(),
        }
    }
}

impl Footprint {
    pub(crate) fn of(name: &Name) -> Self {
        Self {
            processes: processes(name),
            mounts: lines(&read("/proc/self/mounts")),
            interfaces: entries("/sys/class/net"),
            cgroups: cgroups(name),
        }
    }

    /// Without processes and cgroups, which is how every test must begin.
    pub(crate) fn clean(name: &Name) -> Self {
        let footprint = Self::of(name);
        assert!(footprint.is_clean(), "left by an earlier run: {footprint:?}");
        footprint
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.processes.is_empty() && self.cgroups.is_empty()
    }

    pub(crate) fn processes(&self) -> &[String] {
        &self.processes
    }

    pub(crate) fn cgroups(&self) -> &[PathBuf] {
        &self.cgroups
    }
}

/// Every process that was started with something of the cluster's folder: each component, helper and shim.
fn processes(name: &Name) -> Vec<String> {
    let folder = RunDir::of(name).unwrap().path().display().to_string();
    let own = [format!("{folder}/"), format!("{folder} ")];
    let pids = entries("/proc").into_iter().filter(|entry| entry.parse::<u32>().is_ok());
    let commands = pids.map(|pid| read(format!("/proc/{pid}/cmdline")).replace('\0', " "));
    commands.filter(|command| own.iter().any(|folder| command.contains(folder))).collect()
}

fn cgroups(name: &Name) -> Vec<PathBuf> {
    let mounts = read("/proc/self/mounts");
    let hierarchies = mounts.lines().filter(|line| line.contains(" cgroup")).filter_map(|line| line.split(' ').nth(1));
    let groups = hierarchies.map(|hierarchy| Path::new(hierarchy).join(name.cgroup()));
    groups.filter(|group| group.exists()).collect()
}

fn read(path: impl AsRef<Path>) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn entries(folder: &str) -> Vec<String> {
    let found = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = found.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
