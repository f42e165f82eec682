//! What tests do to the cluster's own processes.

use clew_e2e::Cluster;

/// What decides and acts in a cluster; without these nothing happens that nobody asks for.
const ACTING: [&str; 5] = ["kube-controller-manager", "kube-scheduler", "kubelet", "kopf", "controller"];

/// Sends a signal to every process that runs one of these programs.
fn signal(cluster: &Cluster, signal: &str, programs: &[&str]) {
    let script = r#"signal=$1; shift
for p in /proc/[0-9]*; do
    words=$(tr '\0' ' ' < "$p/cmdline" 2> /dev/null) || continue
    for program in "$@"; do
        case "$words" in */"$program"\ *) kill "-$signal" "${p#/proc/}" ;; esac
    done
done"#;
    let mut command = cluster.exec("bash").unwrap();
    let output = command.args(["-c", script, "bash", signal]).args(programs).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Holds everything that acts of its own accord: from here on, nothing happens.
pub(crate) fn freeze(cluster: &Cluster) {
    signal(cluster, "STOP", &ACTING);
}

/// Runs a program inside, which must end well.
pub(crate) fn inside(cluster: &Cluster, words: &[&str]) -> String {
    let output = cluster.exec(words[0]).unwrap().args(&words[1..]).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
