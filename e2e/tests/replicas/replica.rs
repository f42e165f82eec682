//! One replica: a `clew up` that can be killed, stopped and asked.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use clew_e2e::{Cluster, Identity};
use serde_json::Value;

use crate::harness::eventually;

/// How a replica is started; the same each time it is.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) folder: PathBuf,
    pub(crate) peer: String,
    pub(crate) forward: String,
    pub(crate) lease: String,
    pub(crate) http: SocketAddr,
    pub(crate) otlp: SocketAddr,
}

/// A running replica; killed if the test fails.
pub(crate) struct Replica {
    child: Child,
    binary: PathBuf,
    pub(crate) plan: Plan,
}

impl Replica {
    pub(crate) fn up(cluster: &Cluster, plan: &Plan) -> Self {
        let binary = clew_e2e::images::clew_binary(&mut |_| {}).unwrap();
        let mut command = Command::new(&binary);
        command.args(["up", "--no-open", "--cluster", "test", "--otlp-grpc", "127.0.0.1:0"]);
        command.args(["--http", &plan.http.to_string(), "--otlp-http", &plan.otlp.to_string()]);
        command.arg("--data").arg(plan.folder.join(plan.name));
        command.arg("--key-file").arg(plan.folder.join("key"));
        command.arg("--kubeconfig").arg(cluster.kubeconfig(Identity::Admin));
        command.args(["--peer", &plan.peer, "--lease", &plan.lease, "--forward", &plan.forward]);
        command.args(["--forward-header", &format!("replica={}", plan.name)]).env("HOSTNAME", plan.name);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("http://"), "clew up said {line:?}");
        Self { child, binary, plan: plan.clone() }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.plan.http)
    }

    /// What it says of itself; none while it does not answer.
    pub(crate) fn status(&self) -> Option<Value> {
        let mut curl = Command::new("curl");
        curl.args(["-sS", "--max-time", "5", &format!("{}/api/v1/status", self.url())]);
        serde_json::from_slice(&curl.output().unwrap().stdout).ok()
    }

    /// A source of it, by kind.
    pub(crate) fn source(&self, kind: &str) -> Option<Value> {
        let sources = self.status()?["sources"].as_array()?.clone();
        sources.into_iter().find(|source| source["kind"] == kind)
    }

    pub(crate) fn leads(&self) -> bool {
        self.source("lease").is_some_and(|lease| lease["state"] == "up")
    }

    /// Whether every watch of it is up, so that nothing is missed from now on.
    pub(crate) fn watches(&self) -> bool {
        let Some(status) = self.status() else { return false };
        let sources = status["sources"].as_array().unwrap();
        let mut watches = sources.iter().filter(|source| source["kind"] == "watch").peekable();
        watches.peek().is_some() && watches.all(|source| source["state"] == "up")
    }

    /// The journeys of a namespace by their ids, as `clew weave` would print them.
    pub(crate) fn journeys(&self, namespace: &str) -> Vec<Value> {
        let arguments = ["journeys", "--output", "jsonl", "--limit", "0", "--namespace", namespace];
        let mut journeys = self.ask(&arguments);
        journeys.sort_by_key(|journey| journey["journey"].as_str().unwrap().to_owned());
        journeys
    }

    /// The answer to SQL, a row each.
    pub(crate) fn sql(&self, query: &str) -> Vec<Value> {
        self.ask(&["sql", "--output", "jsonl", "--limit", "1000000", query])
    }

    fn ask(&self, arguments: &[&str]) -> Vec<Value> {
        let output = Command::new(&self.binary).args(arguments).args(["--server", &self.url()]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Sends a signal: KILL, STOP, CONT, TERM.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([format!("-{signal}"), self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits until it has ended.
    pub(crate) fn ended(mut self) {
        self.child.wait().unwrap();
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until both say the same of a namespace, and that it has so many journeys of an object of each name.
pub(crate) fn agree(one: &Replica, other: &Replica, namespace: &str, names: &[String]) -> Vec<Value> {
    eventually("both replicas to have the same journeys", || {
        let (mine, theirs) = (one.journeys(namespace), other.journeys(namespace));
        let has = |name: &String| mine.iter().filter(|journey| journey["root"]["name"] == **name).count() == 1;
        (mine == theirs && names.iter().all(has)).then_some(mine)
    })
}

/// A free port of the loopback, for something that must have the same one after a restart.
pub(crate) fn free_port() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

pub(crate) fn folder(path: &Path, name: &str) -> PathBuf {
    let folder = path.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
