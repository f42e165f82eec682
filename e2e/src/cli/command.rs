//! The commands, and how their ends are told.

use std::process::ExitCode;

use super::{down, exec, logs, status, up};

/// What to do with a cluster.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Start a cluster, and return when its nodes are Ready
    Up(up::Up),
    /// Stop a cluster, and remove all that it left
    Down(down::Down),
    /// Show what is ready, and how long each part took
    Status(status::Show),
    /// Show the logs of a part
    Logs(logs::Logs),
    /// Run a command inside the cluster's namespaces
    Exec(exec::Exec),
    /// Run kubectl inside the cluster's namespaces
    Kubectl(exec::Kubectl),
}

impl Command {
    /// Does it.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Up(up) => up.run(),
            Self::Down(down) => down.run(),
            Self::Status(status) => status.run(),
            Self::Logs(logs) => logs.run(),
            Self::Exec(exec) => exec.run(),
            Self::Kubectl(kubectl) => kubectl.run(),
        }
    }
}

/// Prints a failure with its causes, once, and gives the exit code.
pub fn exit_code<E: Into<anyhow::Error>>(result: Result<ExitCode, E>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {:#}", error.into());
            ExitCode::FAILURE
        }
    }
}
