//! `cluster exec` and `cluster kubectl`.

use std::process::ExitCode;

use anyhow::Context as _;

use crate::{Cluster, Identity, Name};

/// The flags of `cluster exec`.
#[derive(Debug, clap::Args)]
pub struct Exec {
    /// Which cluster
    #[arg(long, default_value = "default")]
    name: Name,
    /// Whose kubeconfig the command gets
    #[arg(long = "as", value_enum, default_value = "admin")]
    identity: Identity,
    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true)]
    command: Vec<String>,
}

/// The flags of `cluster kubectl`.
#[derive(Debug, clap::Args)]
pub struct Kubectl {
    /// Which cluster
    #[arg(long, default_value = "default")]
    name: Name,
    /// Whose kubeconfig kubectl gets
    #[arg(long = "as", value_enum, default_value = "admin")]
    identity: Identity,
    /// kubectl's own arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Exec {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let (program, arguments) = self.command.split_first().context("no command was given")?;
        enter(&self.name, self.identity, program, arguments)
    }
}

impl Kubectl {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        enter(&self.name, self.identity, "kubectl", &self.arguments)
    }
}

fn enter(name: &Name, identity: Identity, program: &str, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let cluster = Cluster::find(name)?;
    let mut command = cluster.exec(program)?;
    command.args(arguments).env("KUBECONFIG", cluster.kubeconfig(identity));
    let status = command.status().context("cannot start nsenter")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
