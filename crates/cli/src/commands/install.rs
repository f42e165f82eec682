//! `clew install`: what puts clew into a cluster, printed.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;

const EXAMPLES: &str = "\
Examples:
  clew install | kubectl apply -f -              clew in a namespace of its own
  clew install | kubectl delete -f -             nothing is left
  clew install audit-policy > policy.yaml        for the API server's --audit-policy-file";

/// The manifests, which a test applies to a real API server.
const MANIFESTS: &str = include_str!("../../../../deploy/clew.yaml");

/// Print what puts clew into a cluster.
///
/// Nothing is changed: the printed text goes to kubectl or to the API server's own flags.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Install {
    /// What to print.
    #[arg(value_enum, default_value_t = What::Manifests)]
    what: What,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum What {
    /// The objects: namespace, rights, `StatefulSet`, Service, webhook, network policy.
    Manifests,
    /// The API server's audit policy that asks for just what clew needs.
    AuditPolicy,
}

impl Install {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let text = match self.what {
            What::Manifests => MANIFESTS,
            What::AuditPolicy => clew_collect::live::audit::policy(),
        };
        std::io::stdout().write_all(text.as_bytes()).context("cannot print")?;
        Ok(ExitCode::SUCCESS)
    }
}
