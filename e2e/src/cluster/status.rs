//! How far a cluster is: what is ready, and how long each part took.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Identity, Settings};
use crate::folders::{RunDir, write};
use crate::{Error, Result};

/// The state of one cluster, as `cluster status` prints it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The cluster's name.
    pub name: String,
    /// Its version of Kubernetes.
    pub kubernetes: String,
    /// Whether all parts and all nodes were ready.
    pub ready: bool,
    /// Milliseconds from the start until then.
    pub ready_after_ms: Option<u64>,
    /// Why it did not come up, if so.
    pub failure: Option<String>,
    /// The API server's address, inside and outside.
    pub api_server: String,
    /// The audit log.
    pub audit_log: PathBuf,
    /// Where containerd listens.
    pub containerd_socket: Option<PathBuf>,
    /// The kubeconfig of each identity.
    pub kubeconfigs: Vec<PathBuf>,
    /// The parts in the order in which they were started.
    pub parts: Vec<Part>,
}

/// One part of the cluster: a component, or a step of the set-up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The component's name.
    pub name: String,
    /// How far it is.
    pub state: State,
    /// When it was started, in milliseconds after the cluster's start.
    pub started_ms: u64,
    /// How long it took from there until it was ready.
    pub took_ms: Option<u64>,
}

/// How far a part is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// Started, not ready yet.
    Starting,
    /// It does its work.
    Ready,
    /// It ended, which no part should; its exit status.
    Exited(String),
}

impl Status {
    pub(crate) fn new(run: &RunDir, settings: &Settings) -> Self {
        let options = &settings.options;
        Self {
            name: options.name.to_string(),
            kubernetes: options.kubernetes.to_string(),
            ready: false,
            ready_after_ms: None,
            failure: None,
            api_server: format!("https://127.0.0.1:{}", settings.api_port),
            audit_log: run.audit_log(),
            containerd_socket: (!options.control_plane_only).then(|| run.containerd_socket()),
            kubeconfigs: Identity::ALL.iter().map(|identity| run.kubeconfig(*identity)).collect(),
            parts: Vec::new(),
        }
    }

    /// Reads the status that the starter wrote; `None` before it wrote one.
    pub(crate) fn read(run: &RunDir) -> Result<Option<Self>> {
        let path = run.status();
        match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|source| Error::Content { path, source }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::file("read", &path)(error)),
        }
    }

    /// Replaces the file in one step, so that a reader never sees half of it.
    pub(crate) fn write(&self, run: &RunDir) -> Result<()> {
        let path = run.status();
        let next = path.with_extension("next");
        let text = serde_json::to_vec_pretty(self).map_err(|source| Error::Content { path: path.clone(), source })?;
        write(&next, text)?;
        std::fs::rename(&next, &path).map_err(Error::file("replace", &path))
    }

    /// The status as a person reads it.
    pub fn table(&self) -> String {
        let mut text = format!("cluster {} ({}): {}\n\n", self.name, self.kubernetes, self.summary());
        let _ = writeln!(text, "{:<26}{:<12}{:>9}{:>9}", "PART", "STATE", "STARTED", "TOOK");
        for part in &self.parts {
            let state = match &part.state {
                State::Starting => "starting",
                State::Ready => "ready",
                State::Exited(status) => status,
            };
            let took = part.took_ms.map(seconds).unwrap_or_default();
            let _ = writeln!(text, "{:<26}{:<12}{:>9}{:>9}", part.name, state, seconds(part.started_ms), took);
        }
        let _ = writeln!(text, "\n{:<16}{}", "API server", self.api_server);
        let _ = writeln!(text, "{:<16}{}", "audit log", self.audit_log.display());
        if let Some(socket) = &self.containerd_socket {
            let _ = writeln!(text, "{:<16}{}", "containerd", socket.display());
        }
        for kubeconfig in &self.kubeconfigs {
            let _ = writeln!(text, "{:<16}{}", "kubeconfig", kubeconfig.display());
        }
        text
    }

    fn summary(&self) -> String {
        if let Some(failure) = &self.failure {
            return format!("failed: {failure}");
        }
        let exited = self.parts.iter().find(|part| matches!(part.state, State::Exited(_)));
        if let Some(part) = exited {
            return format!("{} ended: `cargo xtask cluster logs {} --name {}`", part.name, part.name, self.name);
        }
        match self.ready_after_ms {
            Some(took) => format!("ready after {}", seconds(took)),
            None => "starting".to_owned(),
        }
    }
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:02} s", milliseconds / 1000, milliseconds % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_a_part_that_ended() {
        let part = Part {
            name: "kubelet".to_owned(),
            state: State::Exited("exit status: 1".to_owned()),
            started_ms: 1230,
            took_ms: None,
        };
        let status = Status {
            name: "x".to_owned(),
            kubernetes: "v1.34.4".to_owned(),
            ready: true,
            ready_after_ms: Some(4005),
            failure: None,
            api_server: String::new(),
            audit_log: PathBuf::new(),
            containerd_socket: None,
            kubeconfigs: Vec::new(),
            parts: vec![part],
        };
        let table = status.table();
        assert!(table.contains("kubelet ended"), "{table}");
        assert!(table.contains("1.23 s"), "{table}");
    }
}
