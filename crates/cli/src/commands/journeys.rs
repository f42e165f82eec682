//! `clew journeys`: what a running clew has woven.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clew_weave::Journey;

use super::filters::Filters;
use crate::args::{Global, NO_ROWS, Output};
use crate::client::{Client, ServerArgs};
use crate::table;

const EXAMPLES: &str = "\
Examples:
  clew journeys                                    the newest
  clew journeys --state stuck --state failed       what needs a look
  clew journeys --namespace shop --since 1h        of a namespace, of the last hour
  clew journeys --limit 0 --output jsonl           all of them, as `clew weave` prints them";

/// List the journeys of a running clew, oldest first, in the form of `clew weave`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Journeys {
    #[command(flatten)]
    filters: Filters,
    /// How many of the newest; 0 for all.
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    limit: usize,
    #[command(flatten)]
    server: ServerArgs,
}

impl Journeys {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let client = self.server.client()?;
        let journeys = crate::runtime()?.block_on(self.ask(&client))?;
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        let printed = match global.output {
            Output::Text => table::journeys(&journeys, &mut out).map_err(Into::into),
            Output::Json => writeln!(out, "{}", serde_json::to_string_pretty(&journeys)?).map_err(Into::into),
            Output::Jsonl => lines(&journeys, &mut out),
            Output::Otlp => anyhow::bail!("use `clew export` for spans"),
            Output::Csv | Output::Parquet => anyhow::bail!(NO_ROWS),
        };
        match printed {
            Err(error) if crate::exit::is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
            result => result.map(|()| ExitCode::SUCCESS),
        }
    }

    async fn ask(&self, client: &Client) -> anyhow::Result<Vec<Journey>> {
        let wanted = if self.limit == 0 { usize::MAX } else { self.limit };
        let mut journeys = Vec::new();
        let mut pages = self.filters.pages(client).with("form", "weave");
        while let Some(page) = pages.next().await? {
            for journey in page {
                journeys.push(serde_json::from_value(journey).context("a journey of another form")?);
            }
            if journeys.len() >= wanted {
                journeys.truncate(wanted);
                break;
            }
        }
        journeys.reverse();
        Ok(journeys)
    }
}

fn lines(journeys: &[Journey], out: &mut impl Write) -> anyhow::Result<()> {
    for journey in journeys {
        writeln!(out, "{}", serde_json::to_string(journey)?)?;
    }
    Ok(())
}
