//! `cluster down`.

use std::process::ExitCode;

use super::default_config;
use crate::folders::RunDir;
use crate::{Cluster, Identity, Name};

/// The flags of `cluster down`.
#[derive(Debug, clap::Args)]
pub struct Down {
    /// Which cluster
    #[arg(long, default_value = "default")]
    name: Name,
}

impl Down {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let run = RunDir::of(&self.name)?;
        let known = run.path().exists();
        Cluster::down(&self.name)?;
        default_config::unlink(&run.kubeconfig(Identity::Admin))?;
        eprintln!("cluster {} {}", self.name, if known { "is down" } else { "was not up" });
        Ok(ExitCode::SUCCESS)
    }
}
