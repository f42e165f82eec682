//! The commands as a person types them.

use std::path::Path;
use std::process::Command;

use clew_e2e::Status;

use crate::footprint::Footprint;
use crate::harness::{name, program, turn};

#[test]
fn a_person_brings_it_up_looks_around_and_takes_it_down() {
    let _turn = turn();
    let name = name("by-hand");
    let before = Footprint::clean(&name);
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| output(program(home.path()).args(arguments));

    let exported = run(&["up", "--name", "by-hand"]);
    assert!(exported.starts_with("export KUBECONFIG="), "{exported}");
    let nodes =
        output(Command::new("sh").env("HOME", home.path()).args(["-c", &format!("{exported}\nkubectl get nodes")]));
    assert!(nodes.contains("node1") && nodes.contains(" Ready "), "{nodes}");
    assert!(home.path().join(".kube/config").exists(), "a home without a kubeconfig gets one");
    assert_eq!(run(&["exec", "--name", "by-hand", "--", "pwd"]).trim(), here());
    assert!(run(&["kubectl", "--name", "by-hand", "--as", "alice", "auth", "whoami"]).contains("alice@example.com"));
    assert!(run(&["status", "--name", "by-hand"]).contains("kube-apiserver"));
    let status: Status = serde_json::from_str(&run(&["status", "--name", "by-hand", "--output", "json"])).unwrap();
    assert!(status.ready && status.audit_log.is_file());
    assert!(run(&["logs", "--name", "by-hand", "kubelet"]).contains("kubelet"));
    assert!(refused(home.path(), &["up", "--name", "by-hand"]).contains("already up"));

    run(&["down", "--name", "by-hand"]);
    assert!(!home.path().join(".kube/config").is_symlink(), "the link goes with the cluster");
    assert!(refused(home.path(), &["status", "--name", "by-hand"]).contains("is not up"));
    assert_eq!(Footprint::of(&name), before);
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?} failed: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(home: &Path, arguments: &[&str]) -> String {
    let output = program(home).args(arguments).output().unwrap();
    assert!(!output.status.success(), "{arguments:?} should have failed");
    String::from_utf8(output.stderr).unwrap()
}

fn here() -> String {
    std::env::current_dir().unwrap().display().to_string()
}
