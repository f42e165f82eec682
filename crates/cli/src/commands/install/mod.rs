//! `clew install`: what puts clew into a cluster, printed.

mod chart;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;

use chart::Values;

const EXAMPLES: &str = "\
Examples:
  clew install | kubectl apply -f -              clew in a namespace of its own
  clew install | kubectl delete -f -             nothing is left
  clew install --set image=registry.example/clew:1 --set storageClass=fast | kubectl apply -f -
  clew install audit-policy > policy.yaml        for the API server's --audit-policy-file

Values, as in the Helm chart (deploy/chart/values.yaml):
  image, replicas, storage, keepSize, storageClass, webhook, users, certificate, cpu, memory";

/// Print what puts clew into a cluster.
///
/// Nothing is changed: the printed text goes to kubectl or to the API server's own flags. The Helm chart has the same objects.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Install {
    /// What to print.
    #[arg(value_enum, default_value_t = What::Manifests)]
    what: What,
    /// The namespace that clew gets for itself.
    #[arg(long, short, value_name = "NAME", default_value = "clew")]
    namespace: String,
    /// A value that is not the default; may be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum What {
    /// The objects: namespace, rights, `StatefulSet`, Services, webhook, network policy.
    Manifests,
    /// The API server's audit policy that asks for just what clew needs.
    AuditPolicy,
}

impl Install {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let text = match self.what {
            What::Manifests => {
                let mut values = Values::defaults(&self.namespace)?;
                for given in &self.set {
                    values.set(given)?;
                }
                values.manifests()?
            }
            What::AuditPolicy => clew_collect::live::audit::policy().to_owned(),
        };
        std::io::stdout().write_all(text.as_bytes()).context("cannot print")?;
        Ok(ExitCode::SUCCESS)
    }
}
