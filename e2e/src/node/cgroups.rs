//! The one thing that outlives a cluster's namespaces: its cgroup, one in each hierarchy.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::cluster::Name;
use crate::folders::write;
use crate::{Error, Result};

/// How long the kernel may take to let go of a cgroup whose processes were ended.
const PATIENCE: Duration = Duration::from_secs(10);
const STEP: Duration = Duration::from_millis(20);
/// What the kubelet needs on cgroup v2.
const CONTROLLERS: [&str; 6] = ["cpu", "cpuset", "memory", "io", "pids", "hugetlb"];

/// Makes the cluster's cgroup in each hierarchy.
pub(crate) fn create(name: &Name) -> Result<()> {
    for hierarchy in hierarchies() {
        enable_controllers(&hierarchy);
        let group = hierarchy.join(name.cgroup());
        std::fs::create_dir_all(&group).map_err(Error::file("create", &group))?;
        enable_controllers(&group);
        fill_cpuset(&hierarchy, &group)?;
    }
    Ok(())
}

/// Removes the cluster's cgroups, waiting for the kernel where it still ends processes.
pub(crate) fn remove(name: &Name) -> Result<()> {
    let start = Instant::now();
    loop {
        let left = existing(name);
        if left.is_empty() {
            return Ok(());
        }
        for group in &left {
            remove_tree(group);
        }
        if start.elapsed() > PATIENCE {
            let left = format!("cgroups {:?}", existing(name));
            return Err(Error::LeftBehind { name: name.to_string(), left });
        }
        std::thread::sleep(STEP);
    }
}

fn existing(name: &Name) -> Vec<PathBuf> {
    let groups = hierarchies().into_iter().map(|hierarchy| hierarchy.join(name.cgroup()));
    groups.filter(|group| group.exists()).collect()
}

/// Where cgroup hierarchies are mounted: one on v2, one for each controller on v1.
fn hierarchies() -> Vec<PathBuf> {
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    parse_hierarchies(&mounts)
}

fn parse_hierarchies(mounts: &str) -> Vec<PathBuf> {
    let fields = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let cgroups = fields.filter(|fields| matches!(fields.get(2), Some(&("cgroup" | "cgroup2"))));
    let mut found: Vec<PathBuf> = cgroups.filter_map(|fields| fields.get(1).map(PathBuf::from)).collect();
    found.sort();
    found.dedup();
    found
}

/// On v2 a group has the controllers that its parent gives on; those that the kernel lacks cannot be given.
fn enable_controllers(group: &Path) {
    let control = group.join("cgroup.subtree_control");
    if control.exists() {
        for controller in CONTROLLERS {
            let _ = std::fs::write(&control, format!("+{controller}"));
        }
    }
}

/// On v1 a new cpuset is empty, and nothing can run in it until it is filled.
fn fill_cpuset(hierarchy: &Path, group: &Path) -> Result<()> {
    for file in ["cpuset.cpus", "cpuset.mems"] {
        let (from, to) = (hierarchy.join(file), group.join(file));
        if from.exists() && to.exists() {
            let value = std::fs::read(&from).map_err(Error::file("read", &from))?;
            write(&to, value)?;
        }
    }
    Ok(())
}

/// Children first; one that is busy is tried again in the next round.
fn remove_tree(group: &Path) {
    let Ok(entries) = std::fs::read_dir(group) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_tree(&entry.path());
        }
    }
    let _ = std::fs::remove_dir(group);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hierarchy_is_found_once_on_v1_and_v2() {
        let mounts = "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n\
                      cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
        let expected = [PathBuf::from("/sys/fs/cgroup/cpu"), PathBuf::from("/sys/fs/cgroup/unified")];
        assert_eq!(parse_hierarchies(mounts), expected);
    }
}
