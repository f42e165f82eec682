//! The clew that is measured.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use clew_e2e::{Cluster, Identity};
use clew_model::Time;
use serde_json::{Value, json};

use crate::load::Written;
use crate::process::Process;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// A running `clew up` that watches, ended with this.
pub(crate) struct Clew {
    child: Child,
    binary: PathBuf,
    url: String,
}

impl Clew {
    pub(crate) fn up(cluster: &Cluster, folder: &Path) -> Self {
        let binary = clew_e2e::images::clew_binary(&mut |line| eprintln!("{line}")).unwrap();
        let mut command = Command::new(&binary);
        command.args(["up", "--no-open", "--cluster", "cost", "--http", "127.0.0.1:0"]);
        command.args(["--otlp-grpc", "127.0.0.1:0", "--otlp-http", "127.0.0.1:0"]);
        command.arg("--data").arg(folder.join("data")).arg("--key-file").arg(folder.join("key"));
        command.arg("--kubeconfig").arg(cluster.kubeconfig(Identity::Admin));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
        Self { child, binary, url }
    }

    /// A clew that is called at creates: inside the cluster, as a pod would be, so that no relay of the test's counts.
    pub(crate) fn called(cluster: &Cluster, folder: &Path, port: u16) -> Self {
        let binary = clew_e2e::images::clew_binary(&mut |line| eprintln!("{line}")).unwrap();
        let mut command = cluster.exec(binary.to_str().unwrap()).unwrap();
        command.args(["up", "--no-open", "--cluster", "cost", "--http", &format!("127.0.0.1:{port}")]);
        command.args(["--otlp-grpc", "127.0.0.1:0", "--otlp-http", "127.0.0.1:0", "--tls-own", "127.0.0.1"]);
        command.args(["--webhook", &format!("https://127.0.0.1:{port}")]);
        command.arg("--data").arg(folder.join("called")).arg("--key-file").arg(folder.join("key"));
        command.arg("--kubeconfig").arg(cluster.kubeconfig(Identity::Admin));
        let child = command.stdout(Stdio::null()).spawn().unwrap();
        Self { child, binary, url: format!("https://127.0.0.1:{port}") }
    }

    pub(crate) fn process(&self) -> Process {
        Process(self.child.id())
    }

    /// Waits until every resource is listed and watched, and as many facts have come as there are objects.
    pub(crate) fn wait_for_the_list(&self, objects: usize) {
        let start = Instant::now();
        while !self.has_listed(objects) {
            assert!(start.elapsed() < PATIENCE, "the list is not complete after {PATIENCE:?}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn has_listed(&self, objects: usize) -> bool {
        let status: Value = serde_json::from_slice(&self.ask("/api/v1/status")).unwrap_or_default();
        let sources = status["sources"].as_array().cloned().unwrap_or_default();
        let watches: Vec<&Value> = sources.iter().filter(|source| source["kind"] == "watch").collect();
        if watches.len() < 40 || watches.iter().any(|source| source["state"] != "up") {
            return false;
        }
        let metrics = String::from_utf8(self.ask("/metrics")).unwrap();
        let woven = metrics.lines().find(|line| line.starts_with("clew_woven_facts_total"));
        let woven = woven.and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
        #[expect(clippy::cast_precision_loss, reason = "far fewer objects than a float can count")]
        let wanted = objects as f64;
        woven.is_some_and(|woven| woven >= wanted)
    }

    fn ask(&self, path: &str) -> Vec<u8> {
        let url = format!("{}{path}", self.url);
        Command::new("curl").args(["-fsS", "-m", "30", &url]).output().unwrap().stdout
    }

    /// How much later than its answer each write was seen: without the audit log, a journey starts when it was.
    pub(crate) fn lag(&self, written: &[Written]) -> Value {
        let start = Instant::now();
        loop {
            let seen = self.seen();
            let lags = written.iter().filter_map(|(name, answered)| Some(seen.get(name)? - answered));
            let mut lags: Vec<i64> = lags.collect();
            lags.sort_unstable();
            if lags.len() == written.len() {
                let at = |share: usize| milliseconds(lags[(lags.len() - 1) * share / 100]);
                return json!({"p50": at(50), "p99": at(99), "max": at(100)});
            }
            assert!(start.elapsed() < PATIENCE, "{} of {} writes were seen", lags.len(), written.len());
            std::thread::sleep(Duration::from_secs(1));
        }
    }

    fn seen(&self) -> HashMap<String, i64> {
        let asked = ["journeys", "--output", "jsonl", "--limit", "0", "--kind", "ConfigMap", "--server", &self.url];
        let output = Command::new(&self.binary).args(asked).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let seen = text.lines().filter_map(|line| {
            let journey: Value = serde_json::from_str(line).ok()?;
            let start: Time = serde_json::from_value(journey["start"].clone()).ok()?;
            Some((journey["root"]["name"].as_str()?.to_owned(), start.as_nanos()))
        });
        seen.collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds for people")]
fn milliseconds(nanos: i64) -> f64 {
    nanos as f64 / 1e6
}

impl Drop for Clew {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
