//! `clew capture` on a real cluster: all three sources, redaction, and a resource that comes while it records.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use clew_e2e::{Cluster, Identity, Options};
use serde_json::Value;

/// The harness's own program, which keeps the cluster.
const PROGRAM: &str = env!("CARGO_BIN_EXE_clew-cluster");
const PATIENCE: Duration = Duration::from_secs(90);
const PASSWORD: &str = "hunter2-do-not-store";
const ENCODED: &str = "aHVudGVyMi1kby1ub3Qtc3RvcmU";

const DEFINITION: &str = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "things.example.com"}, "spec": {"group": "example.com", "scope": "Namespaced",
  "names": {"plural": "things", "singular": "thing", "kind": "Thing"}, "versions": [{"name": "v1", "served": true,
  "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}"#;
const THING: &str =
    r#"{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "one"}, "spec": {"size": 1}}"#;

/// A running `clew capture`; killed if the test fails.
struct Recorder {
    child: Child,
    out: PathBuf,
    log: PathBuf,
}

impl Recorder {
    fn start(clew: &Path, out: PathBuf, arguments: &[&str]) -> Self {
        let log = out.with_extension("log");
        let mut command = Command::new(clew);
        command.arg("capture").arg("--out").arg(&out).args(arguments);
        let child = command.stdout(Stdio::null()).stderr(File::create(&log).unwrap()).spawn().unwrap();
        Self { child, out, log }
    }

    fn wait_until_told(&self, what: &str) {
        eventually(what, || std::fs::read_to_string(&self.log).unwrap().contains(what).then_some(()));
    }

    /// The lines written so far; the file may still grow.
    fn lines(&self, file: &str) -> Vec<String> {
        let unpacked = Command::new("zstd").args(["-dqc"]).arg(self.out.join(file)).output().unwrap();
        String::from_utf8(unpacked.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    fn values(&self, file: &str) -> Vec<Value> {
        self.lines(file).iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    fn stop(&mut self) {
        let kill = Command::new("kill").arg("-INT").arg(self.child.id().to_string()).status().unwrap();
        assert!(kill.success());
        let told = || std::fs::read_to_string(&self.log).unwrap();
        assert!(self.child.wait().unwrap().success(), "{}", told());
    }
}

impl Drop for Recorder {
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
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn kubectl(cluster: &Cluster, arguments: &[&str]) -> String {
    cluster.kubectl(Identity::Alice, arguments).unwrap_or_else(|error| panic!("{error}"))
}

fn apply(cluster: &Cluster, object: &str) {
    let applied = cluster.kubectl_with(Identity::Alice, &["apply", "-f", "-"], object);
    applied.unwrap_or_else(|error| panic!("{error}"));
}

/// Everything that the recording must show.
fn act(cluster: &Cluster, recorder: &Recorder) {
    kubectl(cluster, &["create", "deployment", "web", "--image=clew/workload:1", "--replicas=2"]);
    kubectl(cluster, &["create", "secret", "generic", "made", &format!("--from-literal=password={PASSWORD}")]);
    let secret =
        r#"{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "applied"}, "stringData": {"password": ""#;
    apply(cluster, &format!("{secret}{PASSWORD}\"}}}}"));
    // The service account comes moments after its namespace.
    eventually("a token", || cluster.kubectl(Identity::Alice, &["create", "token", "default"]).ok());
    apply(cluster, DEFINITION);
    kubectl(cluster, &["wait", "--for=condition=Established", "crd/things.example.com", "--timeout=60s"]);
    eventually("a thing to be made", || cluster.kubectl_with(Identity::Alice, &["apply", "-f", "-"], THING).ok());
    kubectl(cluster, &["rollout", "status", "deployment", "web", "--timeout=90s"]);
    eventually("the thing in the watch", || {
        let is_thing = |line: &Value| line["path"] == "/apis/example.com/v1/things";
        recorder.values("watch.jsonl.zst").into_iter().find(is_thing)
    });
    eventually("spans of both components", || {
        let lines = recorder.lines("otlp.jsonl.zst");
        let has = |service: &str| lines.iter().any(|line| line.contains(&format!("\"stringValue\":\"{service}\"")));
        (has("apiserver") && has("kubelet")).then_some(())
    });
}

#[test]
fn a_recorded_cluster_shows_everything_but_its_secrets() {
    let clew = clew_e2e::images::clew_binary(&mut |_| {}).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [grpc, http, webhook] = [free_port(), free_port(), free_port()];
    let cluster = Cluster::up(
        Path::new(PROGRAM),
        Options {
            tracing_endpoint: Some(format!("127.0.0.1:{grpc}")),
            audit_webhook: Some(format!("http://127.0.0.1:{webhook}/audit/test")),
            reach: vec![grpc, webhook],
            ..Options::new("capture".parse().unwrap())
        },
        &mut |line| println!("{line}"),
    );
    let cluster = cluster.unwrap_or_else(|error| panic!("{error}"));
    let kubeconfig = cluster.kubeconfig(Identity::Admin).display().to_string();
    let log = cluster.folder().audit_log().display().to_string();
    let (grpc, http, webhook) = (grpc.to_string(), http.to_string(), webhook.to_string());
    let all = ["--kubeconfig", &kubeconfig, "--audit-log", &log, "--otlp", &grpc, "--otlp-http", &http];
    let mut recorder = Recorder::start(&clew, folder.path().join("all"), &all);
    let posted = ["--sources", "audit", "--audit-webhook", &webhook];
    let mut posted = Recorder::start(&clew, folder.path().join("posted"), &posted);
    recorder.wait_until_told("sees every change from here on");
    posted.wait_until_told("webhook at ");
    act(&cluster, &recorder);
    let is_create = |event: &Value| event["verb"] == "create" && event["objectRef"]["name"] == "web";
    let created =
        eventually("the create in the audit log", || recorder.values("audit.log.zst").into_iter().find(is_create));
    assert_eq!(created["user"]["username"], "alice@example.com");
    let same = |event: &Value| event["auditID"] == created["auditID"];
    eventually("the same event at the webhook", || posted.values("audit.log.zst").into_iter().find(same));
    recorder.stop();
    posted.stop();
    shows_the_pods_and_no_secret(&recorder, &posted, &log);
}

fn shows_the_pods_and_no_secret(recorder: &Recorder, posted: &Recorder, log: &str) {
    let running = |line: &Value| line["path"] == "/api/v1/pods" && line["object"]["status"]["phase"] == "Running";
    assert!(recorder.values("watch.jsonl.zst").iter().any(running));
    let raw = std::fs::read_to_string(log).unwrap();
    assert!(raw.contains(PASSWORD) && raw.contains(ENCODED), "the audit log itself holds the secret");
    let is_secret = |line: &&Value| line["path"] == "/api/v1/secrets" && line["type"] == "ADDED";
    let watched = recorder.values("watch.jsonl.zst");
    let hashes = watched.iter().filter(is_secret).filter_map(|line| line["object"]["data"]["password"].as_str());
    let hashes: Vec<&str> = hashes.collect();
    assert_eq!(hashes.len(), 2, "both secrets were watched");
    assert!(hashes[0].starts_with("redacted:hmac:") && hashes[0] == hashes[1], "one value has one hash: {hashes:?}");
    let files = [
        recorder.lines("audit.log.zst"),
        recorder.lines("watch.jsonl.zst"),
        recorder.lines("otlp.jsonl.zst"),
        posted.lines("audit.log.zst"),
    ];
    for line in files.iter().flatten() {
        assert!(!line.contains(PASSWORD) && !line.contains(ENCODED), "{line}");
        assert!(!line.contains("\"token\":\"ey"), "a token is kept: {line}");
    }
}
