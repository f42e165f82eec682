//! A running `clew up`, and what it is asked.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use clew_e2e::{Cluster, Identity};
use serde_json::Value;

use crate::harness::eventually;

/// The cluster's name, for every clew and for the capture: ids depend on it.
pub(crate) const CLUSTER: &str = "test";

/// What reaches a clew.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sources {
    pub(crate) watch: bool,
    pub(crate) audit: bool,
    /// The port that spans come in at.
    pub(crate) spans: Option<u16>,
}

/// Where a clew runs, and how it reaches its cluster.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The process whose network it shares; by default the test's.
    pub(crate) network: Option<u32>,
    /// Its kubeconfig; by default the administrator's.
    pub(crate) kubeconfig: Option<PathBuf>,
}

impl Place {
    /// A program that runs there.
    fn run(&self, program: &Path) -> Command {
        let Some(process) = self.network else { return Command::new(program) };
        let mut command = Command::new("nsenter");
        command.args(["--net", "--target", &process.to_string(), "--"]).arg(program);
        command
    }
}

/// A clew that runs; killed with the test.
pub(crate) struct Clew {
    pub(crate) child: Child,
    pub(crate) name: &'static str,
    pub(crate) sources: Sources,
    pub(crate) url: String,
    place: Place,
    log: PathBuf,
}

impl Clew {
    /// Starts a clew with these sources; its data are kept in a folder of its name.
    pub(crate) fn up(name: &'static str, sources: Sources, cluster: &Cluster, folder: &Path) -> Self {
        Self::up_at(Place::default(), name, sources, cluster, folder)
    }

    /// The same, elsewhere.
    pub(crate) fn up_at(place: Place, name: &'static str, sources: Sources, cluster: &Cluster, folder: &Path) -> Self {
        let data = folder.join(name);
        let mut command = place.run(&binary());
        command.args(["up", "--no-open", "--cluster", CLUSTER, "--http", "127.0.0.1:0", "--secrets"]);
        command.args(["--otlp-http", "127.0.0.1:0", "--otlp-grpc"]);
        command.arg(format!("127.0.0.1:{}", sources.spans.unwrap_or(0)));
        command.arg("--data").arg(&data).arg("--key-file").arg(folder.join("key"));
        if sources.watch {
            let kubeconfig = place.kubeconfig.clone().unwrap_or_else(|| cluster.kubeconfig(Identity::Admin));
            command.arg("--kubeconfig").arg(kubeconfig);
        }
        if sources.audit {
            command.arg("--audit-log").arg(cluster.folder().audit_log());
        }
        let log = folder.join(format!("{name}.log"));
        let errors = std::fs::File::options().create(true).append(true).open(&log).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(errors).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        let url = url.unwrap_or_else(|| panic!("clew up said {line:?}: {}", read(&log))).to_owned();
        let clew = Self { child, name, sources, url, place, log };
        if sources.watch {
            eventually("every resource to be watched", || clew.watches_everything().then_some(()));
        }
        clew
    }

    /// The port of its page and webhooks.
    pub(crate) fn port(&self) -> u16 {
        self.url.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap()
    }

    /// What a path of its API answers.
    pub(crate) fn ask(&self, path: &str) -> Value {
        let url = format!("{}{path}", self.url);
        let answer = self.place.run(Path::new("curl")).args(["-fsS", "-m", "20", &url]).output().unwrap();
        serde_json::from_slice(&answer.stdout).unwrap_or(Value::Null)
    }

    fn watches_everything(&self) -> bool {
        let status = self.ask("/api/v1/status");
        let Some(sources) = status["sources"].as_array() else { return false };
        let watches: Vec<&Value> = sources.iter().filter(|source| source["kind"] == "watch").collect();
        watches.len() > 40 && watches.iter().all(|source| source["state"] == "up")
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(self.child.id().to_string()).status().unwrap();
        assert!(sent.success());
    }

    /// Its memory, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = read(Path::new(&format!("/proc/{}/status", self.child.id())));
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// All journeys, as `clew weave` would print them.
    pub(crate) fn journeys(&self) -> Vec<Value> {
        let asked = ["journeys", "--output", "jsonl", "--limit", "0", "--server", &self.url];
        let output = self.place.run(&binary()).args(asked).output().unwrap();
        assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stderr), read(&self.log));
        lines(&output.stdout)
    }
}

impl Drop for Clew {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("{} said: {}", self.name, read(&self.log));
        }
    }
}

/// The binary that is tested.
pub(crate) fn binary() -> PathBuf {
    clew_e2e::images::clew_binary(&mut |_| {}).unwrap()
}

/// JSON, one value a line.
pub(crate) fn lines(text: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
