//! `cluster up`.

use std::io::Read as _;
use std::process::ExitCode;

use super::default_config;
use crate::{Cluster, Identity, Options};

/// The flags of `cluster up`.
#[derive(Debug, clap::Args)]
pub struct Up {
    #[command(flatten)]
    options: Options,
    /// Stay in the foreground; the cluster ends with this command, however that ends
    #[arg(long)]
    foreground: bool,
}

impl Up {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let helper = std::env::current_exe()?;
        let name = self.options.name.clone();
        let cluster = Cluster::up(&helper, self.options, &mut |line| eprintln!("{line}"))?;
        let took = cluster.status()?.ready_after_ms.unwrap_or_default();
        eprintln!("cluster {name} is ready after {took} ms; `cargo xtask cluster down --name {name}` ends it");
        let kubeconfig = cluster.kubeconfig(Identity::Admin);
        if !self.foreground {
            default_config::link(&kubeconfig)?;
        }
        // Alone on standard output, so that `eval "$(cargo xtask cluster up)"` works.
        println!("export KUBECONFIG={} PATH={}:$PATH", kubeconfig.display(), cluster.programs().display());
        if self.foreground {
            wait_for_end_of_input();
            return Ok(ExitCode::SUCCESS);
        }
        cluster.detach()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Ends by Ctrl-C, which ends the process and with it the cluster, or by the end of what it reads.
fn wait_for_end_of_input() {
    eprintln!("in the foreground: Ctrl-C ends the cluster");
    let mut ignored = [0_u8; 64];
    while matches!(std::io::stdin().read(&mut ignored), Ok(1..)) {}
}
