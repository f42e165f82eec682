//! `clew kubectl`: kubectl with a trace around it.

mod follow;
mod run;
mod verbs;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::args::Global;
use crate::client::ServerArgs;

const EXAMPLES: &str = "\
Examples:
  clew kubectl apply -f shop.yaml                        and say where its journeys are
  clew kubectl --wait set image deploy/web web=web:2     follow them until they have converged, failed or are stuck
  kubectl clew --wait delete namespace shop              the same as a plugin, with clew as kubectl-clew on the PATH

Exit codes:
  0  kubectl succeeded; with --wait, every journey has converged
  1  kubectl or clew failed
  3  a journey failed
  4  a journey is stuck
  5  time is over";

/// Run kubectl with a trace around it, and follow what it causes.
///
/// What only reads runs as it is. What writes goes through a proxy on this machine, with your own credentials, that adds a
/// trace context and an audit id to each request.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, trailing_var_arg = true)]
pub(crate) struct Kubectl {
    /// Follow the journeys in the terminal until they are over.
    #[arg(long)]
    wait: bool,
    /// How long to follow them.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "wait")]
    timeout: u64,
    /// The kubeconfig; by default where kubectl looks.
    #[arg(long, value_name = "FILE", env = "KUBECONFIG", hide_env_values = true)]
    kubeconfig: Option<PathBuf>,
    /// The context in the kubeconfig; by default its current one.
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    #[command(flatten)]
    server: ServerArgs,
    /// What kubectl is to do, with its flags.
    #[arg(required = true, value_name = "COMMAND", allow_hyphen_values = true)]
    command: Vec<OsString>,
}

impl Kubectl {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        if !verbs::writes(&self.command) {
            return self.directly();
        }
        crate::runtime()?.block_on(async {
            let (code, writes) = self.proxied().await?;
            if !code.success() {
                return Ok(ExitCode::from(1));
            }
            if writes.is_empty() {
                return Ok(ExitCode::SUCCESS);
            }
            let limit = self.wait.then(|| Duration::from_secs(self.timeout));
            follow::follow(&self.server.client()?, &writes, limit, global.output).await
        })
    }
}
