//! `clew up`: everything on.

mod clusters;
mod keep;
mod replicas;
mod settings;
mod webhook;
mod who;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use tokio::sync::watch;

pub(crate) use keep::Keep;
pub(crate) use settings::Settings;
pub(crate) use who::WhoLooks;

use crate::serving::Serving;
use crate::signals;

const EXAMPLES: &str = "\
Examples:
  clew up                                    the page, the store and OTLP on this machine
  clew up --data ./lake --http 127.0.0.1:80  elsewhere
  clew up --kubeconfig ~/.kube/config        and follow a cluster
  clew up --kubeconfig ~/.kube/config --webhook https://127.0.0.1:2539    and be called by it
  clew up --config clew.toml                 what the flags say, from a file
  clew up --keep-journeys 365d --keep-size 50GiB          keep more, and no more than this
  clew up --kubeconfig K --peer URL --lease clew/clew     one of two replicas

Exit codes:
  0  ended by Ctrl-C or SIGTERM, with everything kept
  1  failed; the reason is on standard error
  2  the command line was not understood";

/// Run clew: take in spans, audit events and objects, weave them, and serve the page.
///
/// Listens on this machine only, unless TLS and a token are given. Data is kept until its retention is over.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Up {
    #[command(flatten)]
    settings: Settings,
    /// A file with the settings; by default clew/clew.toml in the user's configuration folder.
    #[arg(long, value_name = "FILE", env = "CLEW_CONFIG")]
    config: Option<PathBuf>,
    /// Do not open the page in a browser.
    #[arg(long)]
    no_open: bool,
}

impl Up {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let settings = self.settings.with_file(self.config.as_deref())?;
        crate::runtime()?.block_on(async {
            let ended = signals::ended()?;
            let serving = Serving::start(&settings).await?;
            told(&serving, self.no_open);
            serve(serving, ended).await
        })
    }
}

/// Serves until a signal comes, then ends well.
pub(crate) async fn serve(mut serving: Serving, ended: watch::Receiver<bool>) -> anyhow::Result<ExitCode> {
    let outcome = serving.wait(ended).await;
    serving.stop().await.context("not everything could be kept")?;
    outcome.map(|()| ExitCode::SUCCESS)
}

/// The one line that says where the page is.
pub(crate) fn told(serving: &Serving, no_open: bool) {
    let url = format!("{}://{}", serving.scheme, serving.page);
    anstream::println!("clew is up: {url}");
    if !no_open {
        crate::browser::open(&url);
    }
}
