//! What tests do to the API server and to etcd: end, start again, compact.

use std::process::{Child, Command, Stdio};

use clew_e2e::{Cluster, Identity};

use crate::harness::eventually;

/// A process of the cluster, as seen inside, with the words that it was started with.
struct Process {
    pid: String,
    words: Vec<String>,
}

/// An API server that a test started in the place of the first one; it ends with the cluster.
pub(crate) struct ApiServer(Child);

impl Drop for ApiServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Kills the API server, and does something while there is none; then starts it again, as it was.
pub(crate) fn restart_api_server(cluster: &Cluster, meanwhile: impl FnOnce()) -> ApiServer {
    let process = api_server(cluster);
    inside(cluster, &["kill", "-KILL", &process.pid]);
    eventually("the API server to be gone", || {
        cluster.kubectl(Identity::Admin, &["get", "--raw", "/version"]).is_err().then_some(())
    });
    meanwhile();
    let mut command = cluster.exec(&process.words[0]).unwrap();
    let child = command.args(&process.words[1..]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let server = ApiServer(child);
    eventually("the API server to be ready", || {
        cluster.kubectl(Identity::Admin, &["get", "--raw", "/readyz"]).is_ok().then_some(())
    });
    server
}

fn api_server(cluster: &Cluster) -> Process {
    let script = r#"for p in /proc/[0-9]*; do case "$(tr '\0' ' ' < "$p/cmdline" 2> /dev/null)" in */kube-apiserver\ *) echo "${p#/proc/}"; tr '\0' '\n' < "$p/cmdline"; exit;; esac; done"#;
    let told = inside(cluster, &["sh", "-c", script]);
    let mut lines = told.lines().map(str::to_owned);
    Process { pid: lines.next().expect("a running API server"), words: lines.collect() }
}

/// Makes etcd forget every version but the newest.
pub(crate) fn compact(cluster: &Cluster) {
    let status = inside(cluster, &["curl", "-sS", "http://127.0.0.1:2379/v3/maintenance/status", "-d", "{}"]);
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    let revision = status["header"]["revision"].as_str().expect("a revision");
    let body = format!(r#"{{"revision": "{revision}", "physical": true}}"#);
    let told = inside(cluster, &["curl", "-sS", "http://127.0.0.1:2379/v3/kv/compaction", "-d", &body]);
    assert!(told.contains("header"), "{told}");
}

fn inside(cluster: &Cluster, words: &[&str]) -> String {
    let mut command: Command = cluster.exec(words[0]).unwrap();
    let output = command.args(&words[1..]).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
