//! What is left when the harness dies, and what the next `up` does about it.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use clew_e2e::folders::RunDir;
use clew_e2e::{Cluster, Identity, Name, Options};

use crate::footprint::Footprint;
use crate::harness::{deploy, eventually, name, program, turn, up};

#[test]
fn sigkill_of_the_harness_midway_takes_everything_down() {
    let _turn = turn();
    let name = name("killed-midway");
    let before = Footprint::clean(&name);
    let home = tempfile::tempdir().unwrap();
    let mut harness = start(&name, home.path());
    wait_for_part(&name, "containerd");
    assert_ne!(Footprint::of(&name), before, "nothing was started");
    harness.kill().unwrap();
    harness.wait().unwrap();
    wait_until_gone(&name, &before);
}

#[test]
fn what_a_killed_harness_and_keeper_leave_is_removed_by_the_next_up() {
    let _turn = turn();
    let name = name("killed-both");
    let before = Footprint::clean(&name);
    let home = tempfile::tempdir().unwrap();
    let mut harness = start(&name, home.path());
    wait_for_part(&name, "kubelet");
    kill("KILL", keeper(&name));
    harness.kill().unwrap();
    harness.wait().unwrap();
    eventually("the processes to be gone", || Footprint::of(&name).processes().is_empty().then_some(()));
    assert!(!Footprint::of(&name).cgroups().is_empty(), "nobody was left to remove the cgroups");

    let cluster = up(Options::new(name.clone()));
    deploy(&cluster, Identity::Alice, "web", 1);
    drop(cluster);
    assert_eq!(Footprint::of(&name), before);
}

#[test]
fn an_interrupt_in_the_foreground_takes_everything_down() {
    let _turn = turn();
    let name = name("interrupted");
    let before = Footprint::clean(&name);
    let home = tempfile::tempdir().unwrap();
    let mut harness = start(&name, home.path());
    wait_for_part(&name, "nodes");
    assert_ne!(Footprint::of(&name), before, "nothing was started");
    kill("INT", harness.id());
    harness.wait().unwrap();
    wait_until_gone(&name, &before);
}

/// Starts the harness as a process of its own, with no folder of an earlier run to be taken for this one's.
fn start(name: &Name, home: &Path) -> Child {
    Cluster::down(name).unwrap();
    let mut command = program(home);
    command.args(["up", "--foreground", "--name", name.as_str()]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The folder with the logs is all that stays, and `down` removes it.
fn wait_until_gone(name: &Name, before: &Footprint) {
    eventually("the cluster to be gone", || (Footprint::of(name) == *before).then_some(()));
    Cluster::down(name).unwrap();
    assert!(!RunDir::of(name).unwrap().path().exists());
}

/// Waits until the status file of the cluster names the part.
fn wait_for_part(name: &Name, part: &str) {
    let status = RunDir::of(name).unwrap().path().join("status.json");
    eventually(part, || std::fs::read_to_string(&status).ok().filter(|text| text.contains(&format!("{part:?}"))));
}

fn keeper(name: &Name) -> u32 {
    let folder = RunDir::of(name).unwrap().path().display().to_string();
    let wanted = format!("cluster-helper\0keep\0{folder}\0");
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let mut pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let of_keeper = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).ends_with(&wanted)
    };
    pids.find(of_keeper).expect("no keeper runs")
}

fn kill(signal: &str, pid: u32) {
    let status = Command::new("kill").args(["-s", signal, &pid.to_string()]).status().unwrap();
    assert!(status.success(), "cannot send {signal} to {pid}");
}
