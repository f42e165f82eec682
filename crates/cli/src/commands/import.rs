//! `clew import`: recordings into a store.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clew_collect::replay::Imported;
use clew_store::lake::Lake;

use super::place::Place;
use super::replay::ReplayArgs;
use crate::args::{Global, NO_ROWS, Output};

const EXAMPLES: &str = "\
Examples:
  clew import captures/rollout               a capture
  clew import /var/log/kubernetes/audit.log  an API server's audit log
  clew import otlp.jsonl --data ./lake       spans, into a store elsewhere";

/// Load captures, audit logs or OTLP/JSON into a store that no clew has open.
///
/// What is there already stays once: ids are the same for the same facts. Files are read in the order of time, and what
/// is settled is forgotten on the way, so a recording may be larger than memory.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Import {
    /// Captures (folders, .tar or .tar.zst), audit logs, or OTLP/JSON lines; all of one cluster.
    #[arg(required = true, value_name = "CAPTURE|OTLP.jsonl|audit.log")]
    captures: Vec<PathBuf>,
    #[command(flatten)]
    replay: ReplayArgs,
    #[command(flatten)]
    place: Place,
}

impl Import {
    pub(crate) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let imported = crate::runtime()?.block_on(self.keep())?;
        match global.output {
            Output::Text => println!(
                "{} journeys, {} spans, {} native spans are in the store",
                imported.journeys, imported.spans, imported.native
            ),
            Output::Json | Output::Jsonl => println!("{}", serde_json::to_string(&imported)?),
            Output::Otlp | Output::Csv | Output::Parquet => anyhow::bail!(NO_ROWS),
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn keep(&self) -> anyhow::Result<Imported> {
        let lake = Lake::open(self.place.options()?).await.context("cannot open the store")?;
        let imported = self.replay.import(&self.captures, &lake).await?;
        lake.flush().await?;
        lake.close().await?;
        Ok(imported)
    }
}
