//! Who may speak to the API server: one token and one kubeconfig for each, so that audit shows who wrote what.

use std::fmt;
use std::path::Path;

use serde_json::json;

/// Someone whom the API server knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Identity {
    /// `kubernetes-admin`, who set the cluster up.
    Admin,
    /// `alice@example.com`, a person with all rights.
    Alice,
    /// `bob@example.com`, another person with all rights.
    Bob,
    /// kube-controller-manager; its controllers use service accounts of their own.
    ControllerManager,
    /// kube-scheduler.
    Scheduler,
    /// kube-proxy.
    Proxy,
    /// The kubelet of `node1`.
    Node,
    /// kwok, which plays the simulated nodes.
    Kwok,
    /// `system:serviceaccount:ci:deployer`, a pipeline with all rights and a token of the API server's.
    Deployer,
}

impl Identity {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Admin,
        Self::Alice,
        Self::Bob,
        Self::ControllerManager,
        Self::Scheduler,
        Self::Proxy,
        Self::Node,
        Self::Kwok,
        Self::Deployer,
    ];

    /// The user name and groups that a token file gives; `None` for the service account, whose token is requested.
    pub(crate) fn user(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Admin => ("kubernetes-admin", "system:masters"),
            Self::Alice => ("alice@example.com", "system:masters"),
            Self::Bob => ("bob@example.com", "system:masters"),
            Self::ControllerManager => ("system:kube-controller-manager", ""),
            Self::Scheduler => ("system:kube-scheduler", ""),
            Self::Proxy => ("system:kube-proxy", ""),
            Self::Node => ("system:node:node1", "system:nodes"),
            Self::Kwok => ("kwok-controller", "system:masters"),
            Self::Deployer => return None,
        })
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Admin => "admin",
            Self::Alice => "alice",
            Self::Bob => "bob",
            Self::ControllerManager => "controller-manager",
            Self::Scheduler => "scheduler",
            Self::Proxy => "proxy",
            Self::Node => "node",
            Self::Kwok => "kwok",
            Self::Deployer => "deployer",
        })
    }
}

/// The text of a kubeconfig: JSON, which every reader of kubeconfigs takes.
pub(crate) fn kubeconfig(cluster: &str, port: u16, authority: &Path, identity: Identity, token: &str) -> String {
    let user = identity.to_string();
    let config = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": cluster, "cluster": {
            "server": format!("https://127.0.0.1:{port}"),
            "certificate-authority": authority,
        }}],
        "users": [{"name": user, "user": {"token": token}}],
        "contexts": [{"name": cluster, "context": {"cluster": cluster, "user": user}}],
        "current-context": cluster,
    });
    format!("{config:#}\n")
}
