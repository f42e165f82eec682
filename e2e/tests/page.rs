//! The page in a real browser, beside a real cluster: `ui/tests/cluster.test.ts` with all that it needs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use clew_e2e::{Cluster, Identity, Options};

/// The harness's own program, which keeps the cluster.
const PROGRAM: &str = env!("CARGO_BIN_EXE_clew-cluster");
const UI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui");

/// Ended when the test is over, however that goes.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn clew_up(cluster: &Cluster, folder: &Path) -> (Running, String) {
    let mut command = Command::new(clew_e2e::images::clew_binary(&mut |_| {}).unwrap());
    command.args(["up", "--no-open", "--cluster", "test", "--http", "127.0.0.1:0"]);
    command.args(["--otlp-grpc", "127.0.0.1:0", "--otlp-http", "127.0.0.1:0"]);
    command.arg("--data").arg(folder.join("data")).arg("--key-file").arg(folder.join("key"));
    command.arg("--kubeconfig").arg(cluster.kubeconfig(Identity::Admin));
    command.arg("--audit-log").arg(cluster.folder().audit_log());
    let mut running = Running(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.split_whitespace().find(|word| word.starts_with("http://"));
    let url = url.unwrap_or_else(|| panic!("clew up said {line:?}")).to_owned();
    (running, url)
}

#[test]
fn a_change_appears_in_the_page_without_a_reload() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::new(format!("page-{}", std::process::id()).parse().unwrap());
    let cluster = Cluster::up(Path::new(PROGRAM), options, &mut |_| {}).unwrap();
    let (_clew, url) = clew_up(&cluster, folder.path());
    let mut browser = Command::new("npm");
    browser.current_dir(UI).args(["run", "--silent", "pages", "--", "tests/cluster.test.ts"]);
    browser.env("CLEW_CLUSTER", url.trim_end_matches('/')).env("KUBECTL", cluster.programs().join("kubectl"));
    browser.env("KUBECONFIG", cluster.kubeconfig(Identity::Alice)).env("KUBECACHEDIR", folder.path().join("cache"));
    let status =
        browser.status().expect("npm is missing, which runs the browser's part: run ./test once, or install Node");
    assert!(status.success(), "the browser's part failed: its output is above");
}
