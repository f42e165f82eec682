//! kubectl inside the cluster, as the harness itself uses it.

use std::path::PathBuf;
use std::process::Command;

use crate::cluster::{Identity, Settings};
use crate::folders::RunDir;
use crate::{Result, shell};

/// kubectl with the right kubeconfig, and a cache that goes with the cluster.
#[derive(Debug)]
pub(crate) struct Kubectl {
    program: PathBuf,
    kubeconfig: PathBuf,
    cache: PathBuf,
}

impl Kubectl {
    pub(crate) fn new(run: &RunDir, settings: &Settings, identity: Identity) -> Self {
        Self {
            program: settings.tools.kubernetes().join("kubectl"),
            kubeconfig: run.kubeconfig(identity),
            cache: run.state().join("kubectl-cache"),
        }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Result<String> {
        shell::run(self.command().args(arguments))
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Result<String> {
        shell::run_with_input(self.command().args(arguments), input)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--kubeconfig").arg(&self.kubeconfig).arg("--cache-dir").arg(&self.cache);
        command.arg("--request-timeout=10s");
        command
    }
}
