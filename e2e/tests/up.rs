//! `clew up` on a real cluster: journeys while they happen, and after a kill.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use clew_e2e::{Cluster, Identity, Options};
use serde_json::Value;

/// The harness's own program, which keeps the cluster.
const PROGRAM: &str = env!("CARGO_BIN_EXE_clew-cluster");
const PATIENCE: Duration = Duration::from_secs(90);

/// A running `clew up`; killed if the test fails.
struct Clew {
    child: Child,
    binary: PathBuf,
    url: String,
}

impl Clew {
    fn up(cluster: &Cluster, data: &Path) -> Self {
        let binary = clew_e2e::images::clew_binary(&mut |_| {}).unwrap();
        let mut command = Command::new(&binary);
        command.args(["up", "--no-open", "--cluster", "test", "--http", "127.0.0.1:0"]);
        command.args(["--otlp-grpc", "127.0.0.1:0", "--otlp-http", "127.0.0.1:0"]);
        command.arg("--data").arg(data).arg("--key-file").arg(data.with_extension("key"));
        command.arg("--kubeconfig").arg(cluster.kubeconfig(Identity::Admin));
        command.arg("--audit-log").arg(cluster.folder().audit_log());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        let url = url.unwrap_or_else(|| panic!("clew up said {line:?}")).to_owned();
        Self { child, binary, url }
    }

    /// The journeys of a namespace, as `clew weave` would print them.
    fn journeys(&self, namespace: &str) -> Vec<Value> {
        let mut command = Command::new(&self.binary);
        command.args([
            "journeys",
            "--output",
            "jsonl",
            "--limit",
            "0",
            "--namespace",
            namespace,
            "--server",
            &self.url,
        ]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The one journey that began with this verb on this object, once it is in this state.
    fn journey(&self, verb: &str, name: &str, state: &str) -> Value {
        eventually(&format!("{verb} {name} to be {state}"), || {
            let all = self.journeys("shop");
            let mut found = all.into_iter().filter(|journey| {
                journey["root"]["verb"] == verb && journey["root"]["name"] == name && journey["state"] == state
            });
            found.next()
        })
    }

    /// Runs `clew kubectl --wait`, which must end well; says what it printed.
    fn kubectl_and_wait(&self, cluster: &Cluster, arguments: &[&str]) -> String {
        let mut path = cluster.programs().as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(&self.binary);
        command.args(["kubectl", "--wait", "--timeout", "60", "--server", &self.url, "--kubeconfig"]);
        command.arg(cluster.kubeconfig(Identity::Alice)).args(arguments).env("PATH", path);
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
        told
    }

    /// Draws the newest journey of an object until it is over, which must be well; says what was drawn.
    fn traced(&self, object: &str) -> String {
        let asked = ["trace", object, "-n", "shop", "--watch", "--timeout", "60", "--server", &self.url];
        let output = Command::new(&self.binary).args(asked).output().unwrap();
        let drawn = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{drawn}{}", String::from_utf8_lossy(&output.stderr));
        drawn
    }

    /// The states of the doctor's checks, of the cluster and of this clew.
    fn examined(&self, cluster: &Cluster) -> BTreeMap<String, String> {
        let mut command = Command::new(&self.binary);
        command.args(["doctor", "--output", "json", "--server", &self.url, "--kubeconfig"]);
        let output = command.arg(cluster.kubeconfig(Identity::Admin)).output().unwrap();
        let told: Vec<Value> = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        told.iter().map(|check| (word(&check["check"]), word(&check["state"]))).collect()
    }

    /// What the page's System page shows of the doctor.
    fn status(&self) -> Value {
        let output = Command::new("curl").args(["-fsS", &format!("{}/api/v1/status", self.url)]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Clew {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "waited {} s for {what}", PATIENCE.as_secs());
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn kubectl(cluster: &Cluster, arguments: &[&str]) {
    cluster.kubectl(Identity::Alice, arguments).unwrap_or_else(|error| panic!("{error}"));
}

fn kinds(journey: &Value) -> Vec<String> {
    let objects = journey["objects"].as_array().unwrap();
    let mut kinds: Vec<String> = objects.iter().map(|object| object["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn a_rollout_is_one_journey_and_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::new(format!("up-{}", std::process::id()).parse().unwrap());
    let cluster = Cluster::up(Path::new(PROGRAM), options, &mut |_| {}).unwrap();
    let data = folder.path().join("data");
    let clew = Clew::up(&cluster, &data);
    kubectl(&cluster, &["create", "namespace", "shop"]);
    kubectl(&cluster, &["create", "deployment", "web", "-n", "shop", "--image=clew/workload:1", "--replicas=2"]);
    let made = clew.journey("create", "web", "converged");
    for kind in ["Deployment", "Pod", "ReplicaSet"] {
        assert!(kinds(&made).iter().any(|found| found == kind), "no {kind} in {made}");
    }
    let told = clew.kubectl_and_wait(&cluster, &["set", "env", "deployment/web", "-n", "shop", "RELEASE=2"]);
    let changed = clew.journey("patch", "web", "converged");
    assert_ne!(made["journey"], changed["journey"]);
    assert!(told.contains(changed["journey"].as_str().unwrap()) && told.contains("converged in"), "{told}");
    let drawn = clew.traced("deploy/web");
    assert!(drawn.starts_with("converged after ") && drawn.contains("ReplicaSet"), "{drawn}");
    let examined = clew.examined(&cluster);
    for (check, state) in [("API server", "ok"), ("watch", "ok"), ("audit", "ok"), ("sources", "ok"), ("losses", "ok")]
    {
        assert_eq!(examined.get(check).map(String::as_str), Some(state), "{check}: {examined:?}");
    }
    assert_eq!(examined.get("API server's spans").map(String::as_str), Some("missing"), "{examined:?}");
    let shown = eventually("the doctor's list in the status", || {
        let doctor = clew.status()["doctor"].as_array().cloned();
        doctor.filter(|checks| checks.iter().any(|check| check["check"] == "admission webhook"))
    });
    assert!(shown.iter().any(|check| check["check"] == "audit" && check["state"] == "ok"), "{shown:?}");
    // Killed, then something happens, then it comes back: what it knew is there once, what it missed is woven.
    clew.kill();
    kubectl(&cluster, &["scale", "deployment/web", "-n", "shop", "--replicas=3"]);
    let clew = Clew::up(&cluster, &data);
    clew.journey("patch", "web", "converged");
    let scaled = eventually("the scaling to be a journey", || {
        let mut found = clew.journeys("shop").into_iter();
        found.find(|journey| {
            journey["root"]["subresource"] == "scale" || journey["diff"].to_string().contains("replicas")
        })
    });
    let all = clew.journeys("shop");
    for known in [&made, &changed, &scaled] {
        let count = all.iter().filter(|journey| journey["journey"] == known["journey"]).count();
        assert_eq!(count, 1, "{} is there {count} times", known["journey"]);
    }
}
