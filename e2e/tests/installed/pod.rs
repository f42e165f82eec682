//! A clew that runs as a pod: put there by its own manifests, asked through its Service.

use std::path::Path;
use std::process::{Command, Output};

use clew_e2e::images::{self, Image};
use clew_e2e::{Cluster, Identity};
use serde_json::Value;

use crate::harness::eventually;

/// The image may have to be unpacked on a slow disk, and a debug build starts slowly.
const READY_WITHIN: &str = "--timeout=180s";

/// A cluster with clew in it.
pub(crate) struct Installed<'a> {
    cluster: &'a Cluster,
    manifests: String,
    folder: &'a Path,
}

impl<'a> Installed<'a> {
    /// Loads the image and applies what `clew install` prints; returns when the pod is ready.
    pub(crate) fn new(cluster: &'a Cluster, folder: &'a Path) -> Self {
        Self::with(cluster, folder, &[], str::to_owned)
    }

    /// The same with arguments of `clew install`, and changes to what it prints.
    pub(crate) fn with(
        cluster: &'a Cluster,
        folder: &'a Path,
        arguments: &[&str],
        change: impl FnOnce(&str) -> String,
    ) -> Self {
        let archive = Image::Clew.ensure(&mut |line| println!("{line}")).unwrap();
        images::load(cluster, &archive).unwrap_or_else(|error| panic!("{error}"));
        let manifests = manifests(&images::clew_binary(&mut |_| {}).unwrap(), arguments);
        let installed = Self { cluster, manifests: change(&manifests), folder };
        installed.apply(&["apply", "--warnings-as-errors", "-f", "-"]);
        installed.wait_until_ready();
        installed
    }

    fn apply(&self, arguments: &[&str]) {
        let applied = self.cluster.kubectl_with(Identity::Admin, arguments, &self.manifests);
        applied.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Removes it again, in the way that is documented.
    pub(crate) fn uninstall(self) {
        self.apply(&["delete", "-f", "-"]);
    }

    pub(crate) fn wait_until_ready(&self) {
        let rolled = ["-n", "clew", "rollout", "status", "statefulset", "clew", READY_WITHIN];
        if let Err(error) = self.cluster.kubectl(Identity::Admin, &rolled) {
            let told = |arguments: &[&str]| self.cluster.kubectl(Identity::Admin, arguments).unwrap_or_default();
            let pod = told(&["-n", "clew", "describe", "pod", "clew-0"]);
            let log = told(&["-n", "clew", "logs", "clew-0", "--tail=30"]);
            panic!("{error}\n{pod}\n{log}");
        }
    }

    pub(crate) fn admin(&self, arguments: &[&str]) -> String {
        self.cluster.kubectl(Identity::Admin, arguments).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
    }

    fn get(&self, kind: &str, path: &str) -> String {
        self.admin(&["-n", "clew", "get", kind, "clew", "-o", &format!("jsonpath={{{path}}}")])
    }

    /// Waits until the API server asks clew at a create.
    pub(crate) fn wait_until_called(&self) {
        eventually("the API server to call the webhook", || {
            let made = self
                .cluster
                .kubectl(Identity::Alice, &["create", "configmap", "probe", "--dry-run=server", "-o", "json"]);
            made.ok().filter(|text| text.contains("tracing.k8s.io/traceparent"))
        });
    }

    /// Asks the Service, as a pod would: by its name, with the authority that clew made, and a token or none.
    pub(crate) fn curl(&self, path: &str, with_token: bool) -> Output {
        let address = self.get("service", ".spec.clusterIP");
        self.curl_at(&format!("{address}:443"), path, with_token)
    }

    /// Asks one address, which need not be the Service's.
    pub(crate) fn curl_at(&self, address: &str, path: &str, with_token: bool) -> Output {
        let authority = self.folder.join("ca.crt");
        std::fs::write(&authority, unpacked(&self.get("secret", ".data.ca\\.crt"))).unwrap();
        let mut command = self.cluster.exec("curl").unwrap();
        command.args(["-sS", "--fail", "--max-time", "10", "--connect-to", &format!("clew.clew.svc:443:{address}")]);
        command.arg("--cacert").arg(&authority).arg(format!("https://clew.clew.svc{path}"));
        if with_token {
            let token = String::from_utf8(unpacked(&self.get("secret", ".data.token"))).unwrap();
            command.args(["-H", &format!("Authorization: Bearer {token}")]);
        }
        command.output().unwrap()
    }

    /// An answer of the query API; none while it does not answer.
    pub(crate) fn ask(&self, path: &str) -> Option<Value> {
        let output = self.curl(path, true);
        output.status.success().then(|| serde_json::from_slice(&output.stdout).unwrap())
    }

    /// The same of one address.
    pub(crate) fn ask_at(&self, address: &str, path: &str) -> Option<Value> {
        let output = self.curl_at(address, path, true);
        output.status.success().then(|| serde_json::from_slice(&output.stdout).unwrap())
    }

    /// The journey that began with the creation of this Deployment, once it has converged.
    pub(crate) fn converged(&self, namespace: &str, name: &str) -> Value {
        eventually(&format!("the journey of {name} to converge"), || {
            let path = format!("/api/v1/journeys?namespace={namespace}&name={name}&form=weave");
            let answer = self.ask(&path)?;
            let mut journeys = answer["journeys"].as_array()?.iter();
            // Who was away when it was made cannot tell by which verb.
            let of_it =
                |journey: &&Value| journey["root"]["resource"] == "deployments" && journey["root"]["verb"] != "delete";
            journeys.find(|journey| journey["state"] == "converged" && of_it(journey)).cloned()
        })
    }

    /// Ends clew's process as a fault would.
    pub(crate) fn kill(&self) {
        let script = r#"for p in /proc/[0-9]*; do case "$(tr '\0' ' ' < "$p/cmdline" 2> /dev/null)" in /clew\ up\ *) kill -KILL "${p#/proc/}" && exit;; esac; done; exit 1"#;
        let output = self.cluster.exec("sh").unwrap().args(["-c", script]).output().unwrap();
        assert!(output.status.success(), "no clew to kill: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What `clew install` prints.
pub(crate) fn manifests(binary: &Path, arguments: &[&str]) -> String {
    let output = Command::new(binary).arg("install").args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A volume for one claim, on the node's own disk, for as long as the test lasts.
pub(crate) fn make_volume(cluster: &Cluster, name: &str) {
    let path = format!("/run/volumes/{name}");
    let made = cluster.exec("mkdir").unwrap().args(["-p", &path]).status().unwrap();
    assert!(made.success());
    let volume = serde_json::json!({
        "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
        "spec": {
            "capacity": {"storage": "10Gi"}, "accessModes": ["ReadWriteOnce"],
            "persistentVolumeReclaimPolicy": "Retain", "local": {"path": path},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node1"]}]},
            ]}},
        },
    });
    let applied = cluster.kubectl_with(Identity::Admin, &["apply", "-f", "-"], &volume.to_string());
    applied.unwrap_or_else(|error| panic!("{error}"));
}

/// Base64 without a crate for it.
fn unpacked(text: &str) -> Vec<u8> {
    let mut child = Command::new("base64")
        .arg("-d")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    child.wait_with_output().unwrap().stdout
}
