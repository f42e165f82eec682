//! What happens: two namespaces with a user each, changes in both, and one command that touches both.

use clew_e2e::{Cluster, Identity, Options};
use serde_json::Value;

use super::asked::Asked;
use super::clew::{Clew, OWN, Stream};
use crate::harness::{eventually, name, up};

/// The trace that the requests of one command share.
const SHARED: &str = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e";

/// One namespace, its user, and what must be seen by nobody else.
pub(crate) struct Side {
    pub(crate) namespace: String,
    /// The name of what was made there.
    pub(crate) object: String,
    pub(crate) token: String,
    /// The namespace and the object.
    pub(crate) words: Vec<String>,
    /// The journey of the object.
    pub(crate) journey: String,
    /// A native trace of it.
    pub(crate) native: String,
}

pub(crate) struct Scene {
    pub(crate) streams: Vec<Stream>,
    pub(crate) clew: Clew,
    pub(crate) tea: Side,
    pub(crate) coffee: Side,
    /// Somebody who may get `/metrics`.
    pub(crate) monitor: String,
    /// Somebody of whom clew has not asked yet.
    pub(crate) unseen: String,
    pub(crate) shared: &'static str,
    pub(crate) cluster: Cluster,
    _folder: tempfile::TempDir,
}

impl Scene {
    pub(crate) fn play() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let otlp = free_port();
        let tracing_endpoint = Some(format!("127.0.0.1:{otlp}"));
        let options = Options {
            control_plane_only: true,
            tracing_endpoint,
            tracing_token: Some(OWN.to_owned()),
            reach: vec![otlp],
            ..Options::new(name("live-access"))
        };
        let cluster = up(options);
        let clew = Clew::up(&cluster, folder.path(), otlp);
        let mut tea = Side::begin(&cluster, "teahouse", "oolong");
        let mut coffee = Side::begin(&cluster, "roastery", "arabica");
        let streams = [&tea, &coffee].map(|side| clew.stream(&side.token));
        let monitor = account(&cluster, "default", "monitor");
        let roles = ["create", "clusterrolebinding", "monitor", "--clusterrole=system:monitoring"];
        kubectl(&cluster, &[&roles[..], &["--serviceaccount=default:monitor"]].concat());
        let unseen = account(&cluster, "default", "unseen");
        for side in [&mut tea, &mut coffee] {
            side.change(&cluster);
        }
        one_command(&cluster, &[&tea, &coffee]);
        for side in [&mut tea, &mut coffee] {
            side.await_journey(&clew);
        }
        let shared = Asked::get(&format!("/api/v1/journeys/{SHARED}?raw=1"));
        eventually("the shared trace", || {
            let spans = clew.ask(Some(OWN), &shared);
            (spans.has(&tea.namespace) && spans.has(&coffee.namespace)).then_some(())
        });
        let streams = streams.into();
        Self { streams, clew, tea, coffee, monitor, unseen, shared: SHARED, cluster, _folder: folder }
    }
}

impl Side {
    /// A namespace, and somebody who may view it.
    fn begin(cluster: &Cluster, namespace: &str, object: &str) -> Self {
        kubectl(cluster, &["create", "namespace", namespace]);
        let token = account(cluster, namespace, "reader");
        let reader = format!("{namespace}:reader");
        let bind = ["create", "rolebinding", "reader", "--clusterrole=view", "-n", namespace];
        kubectl(cluster, &[&bind[..], &["--serviceaccount", &reader]].concat());
        // A young cluster gathers the rules of `view` bit by bit.
        let user = format!("--as=system:serviceaccount:{reader}");
        for kind in ["deployments.apps", "replicasets.apps", "pods", "configmaps", "serviceaccounts"] {
            let can = ["auth", "can-i", "list", kind, "-n", namespace, &user];
            eventually("the reader's rights", || cluster.kubectl(Identity::Admin, &can).ok());
        }
        Self {
            namespace: namespace.to_owned(),
            object: object.to_owned(),
            token,
            words: vec![namespace.to_owned(), object.to_owned()],
            journey: String::new(),
            native: String::new(),
        }
    }

    fn change(&mut self, cluster: &Cluster) {
        let Self { namespace, object, .. } = self;
        let deployment = ["create", "deployment", object, "--image=clew/workload:1", "--replicas=2", "-n", namespace];
        kubectl(cluster, &deployment);
        let hidden =
            ["create", "secret", "generic", &format!("{object}-password"), "--from-literal=a=b", "-n", namespace];
        kubectl(cluster, &hidden);
    }

    /// Waits until its user sees the journey of the Deployment, down to its pods, with the spans of the API server.
    fn await_journey(&mut self, clew: &Clew) {
        let path = format!("/api/v1/journeys?form=weave&limit=1000&kind=Deployment&name={}", self.object);
        let journey = eventually("the user to see the journey", || {
            let list = clew.json(&self.token, &path);
            let mut all = list["journeys"].as_array().unwrap().iter();
            let whole = |journey: &&Value| {
                let has =
                    |kind: &str| journey["objects"].as_array().unwrap().iter().any(|object| object["kind"] == kind);
                has("Pod") && journey["segments"].as_array().is_some_and(|segments| !segments.is_empty())
            };
            all.find(whole).cloned()
        });
        journey["journey"].as_str().unwrap().clone_into(&mut self.journey);
        journey["segments"][0].as_str().unwrap().clone_into(&mut self.native);
        let raw = Asked::get(&format!("/api/v1/journeys/{}?raw=1", self.native));
        eventually("its native spans", || (clew.ask(Some(&self.token), &raw).status == 200).then_some(()));
    }
}

/// Makes a `ConfigMap` in each namespace under one trace, as a traced pipeline does: of an administrator the API server
/// takes the trace along.
fn one_command(cluster: &Cluster, sides: &[&Side]) {
    let text = std::fs::read_to_string(cluster.kubeconfig(Identity::Admin)).unwrap();
    let config: Value = serde_json::from_str(&text).unwrap();
    let server = config["clusters"][0]["cluster"]["server"].as_str().unwrap();
    let bearer = format!("authorization: Bearer {}", config["users"][0]["user"]["token"].as_str().unwrap());
    for side in sides {
        let body = format!(r#"{{"metadata": {{"name": "{}-settings"}}, "data": {{"a": "1"}}}}"#, side.object);
        let url = format!("{server}/api/v1/namespaces/{}/configmaps", side.namespace);
        let mut command = std::process::Command::new("curl");
        command.args(["-fsSk", &url, "-H", &bearer, "-H", "content-type: application/json", "-d", &body]);
        command.arg("-H").arg(format!("traceparent: 00-{SHARED}-0123456789abcdef-01"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The token of a new service account.
fn account(cluster: &Cluster, namespace: &str, account: &str) -> String {
    kubectl(cluster, &["create", "serviceaccount", account, "-n", namespace]);
    let token = kubectl(cluster, &["create", "token", account, "-n", namespace, "--duration=1h"]);
    token.trim().to_owned()
}

fn kubectl(cluster: &Cluster, arguments: &[&str]) -> String {
    cluster.kubectl(Identity::Alice, arguments).unwrap_or_else(|error| panic!("{error}"))
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
