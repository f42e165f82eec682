//! `clew export`: journeys as OTLP/JSON.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use super::filters::Filters;
use crate::client::{Client, ServerArgs};

const EXAMPLES: &str = "\
Examples:
  clew export > today.jsonl                        all journeys, one OTLP/JSON request a line
  clew export --namespace shop --since 1h          those of a namespace
  clew export 4bf92f3577b34da6a3ce929d0e0e4736     one of them";

/// Write journeys of a running clew as OTLP/JSON, one a line, re-parented into one trace each.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    /// Ids of journeys; by default all that the filters leave.
    #[arg(value_name = "JOURNEY")]
    journeys: Vec<String>,
    #[command(flatten)]
    filters: Filters,
    /// The file to write; standard output by default.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    server: ServerArgs,
}

impl Export {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let client = self.server.client()?;
        let mut out: Box<dyn Write> = match &self.out {
            Some(path) => Box::new(BufWriter::new(
                File::create(path).with_context(|| format!("cannot write {}", path.display()))?,
            )),
            None => Box::new(std::io::stdout().lock()),
        };
        let written = crate::runtime()?.block_on(self.write(&client, &mut out));
        match written.and_then(|count| out.flush().map(|()| count).map_err(Into::into)) {
            Err(error) if crate::exit::is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
            Err(error) => Err(error),
            Ok(count) => {
                eprintln!("{count} journeys written");
                Ok(ExitCode::SUCCESS)
            }
        }
    }

    async fn write(&self, client: &Client, out: &mut dyn Write) -> anyhow::Result<usize> {
        let mut count = 0;
        for id in &self.journeys {
            one(client, id, out).await?;
            count += 1;
        }
        if !self.journeys.is_empty() {
            return Ok(count);
        }
        let mut pages = self.filters.pages(client);
        while let Some(rows) = pages.next().await? {
            for row in rows {
                let id = row["journey"].as_str().context("a journey without an id")?;
                one(client, id, out).await?;
                count += 1;
            }
        }
        Ok(count)
    }
}

async fn one(client: &Client, id: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let request = client.bytes(&format!("/api/v1/journeys/{id}/otlp"), &[]).await?;
    out.write_all(&request)?;
    out.write_all(b"\n")?;
    Ok(())
}
