//! `clew doctor`: what a cluster allows, what it is worth, and how to have more.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use clew_collect::live::doctor::{Check, CheckState, Findings, Running, examine, report};
use clew_collect::live::{connect, watch};
use clew_collect::weaving::Clock;

use super::running::running;
use crate::args::{Global, NO_ROWS, Output};
use crate::client::ServerArgs;

const EXAMPLES: &str = "\
Examples:
  clew doctor                                    the current context of the usual kubeconfig
  clew doctor --kubeconfig prod.yaml --output json
  clew doctor --server http://127.0.0.1:2539     and ask this clew what reaches it

Exit codes:
  0  everything that clew can use is there
  1  the cluster does not answer, or clew failed
  3  something is missing; the table says what it is worth and how to turn it on";

/// Ask a cluster what clew may use of it, and say how to have more.
///
/// A clew that runs is asked as well: the one that --server names, or the one at the usual address, if any.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Doctor {
    /// The kubeconfig; by default where kubectl looks.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// The context in the kubeconfig; by default its current one.
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    #[command(flatten)]
    server: ServerArgs,
}

impl Doctor {
    pub(crate) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let checks = crate::runtime()?.block_on(async {
            let running = running(&self.server).await?;
            anyhow::Ok(report(&self.examined(running).await?))
        })?;
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        match global.output {
            Output::Text => checks.iter().try_for_each(|check| print(check, &mut out))?,
            Output::Json => writeln!(out, "{}", serde_json::to_string_pretty(&checks)?)?,
            Output::Jsonl => {
                checks.iter().try_for_each(|check| anyhow::Ok(writeln!(out, "{}", serde_json::to_string(check)?)?))?;
            }
            Output::Otlp | Output::Csv | Output::Parquet => anyhow::bail!(NO_ROWS),
        }
        let whole = checks.iter().all(|check| check.state == CheckState::Ok);
        Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(3) })
    }
}

impl Doctor {
    /// Without a cluster, what a running clew says is still worth telling.
    async fn examined(&self, running: Option<Running>) -> anyhow::Result<Findings> {
        match connect(self.kubeconfig.as_deref(), self.context.as_deref()).await {
            Ok(connection) => Ok(examine(&connection, &watch::Settings::default(), running, None).await),
            Err(error) if running.is_some() => Ok(Findings {
                version: Some(Err(error.to_string())),
                running,
                now: Clock::wall(),
                ..Findings::default()
            }),
            Err(error) => Err(error).context("cannot reach a cluster"),
        }
    }
}

fn print(check: &Check, out: &mut impl Write) -> std::io::Result<()> {
    let (word, colour) = match check.state {
        CheckState::Ok => ("ok", AnsiColor::Green),
        CheckState::Partial => ("partial", AnsiColor::Yellow),
        CheckState::Missing => ("missing", AnsiColor::Red),
        CheckState::Unknown => ("unknown", AnsiColor::BrightBlack),
    };
    let style = Style::new().fg_color(Some(colour.into()));
    writeln!(out, "{style}{word:<8}{style:#}{:<20}  {}", check.check, check.message)?;
    if check.state == CheckState::Ok {
        return Ok(());
    }
    writeln!(out, "{:8}{:20}  worth: {}", "", "", check.worth)?;
    if check.fix.is_empty() {
        return Ok(());
    }
    writeln!(out, "{:8}{:20}  fix: {}", "", "", check.fix)
}
