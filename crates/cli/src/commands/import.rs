//! `clew import`: recordings into a store.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clew_collect::encode::otlp_protobuf;
use clew_collect::replay::Replayed;
use clew_store::lake::Lake;
use clew_store::{Record, Store, Woven};
use clew_weave::Upserts;

use super::replay::ReplayArgs;
use super::up::Settings;
use crate::args::{Global, NO_ROWS, Output};

const EXAMPLES: &str = "\
Examples:
  clew import captures/rollout               a capture
  clew import /var/log/kubernetes/audit.log  an API server's audit log
  clew import otlp.jsonl --data ./lake       spans, into a store elsewhere";

/// How many native spans go into the log at a time.
const SPANS: usize = 2048;

/// Load captures, audit logs or OTLP/JSON into a store that no clew has open.
///
/// What is there already stays once: ids are the same for the same facts.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Import {
    /// Captures (folders, .tar or .tar.zst), audit logs, or OTLP/JSON lines; all of one cluster.
    #[arg(required = true, value_name = "CAPTURE|OTLP.jsonl|audit.log")]
    captures: Vec<PathBuf>,
    #[command(flatten)]
    replay: ReplayArgs,
    /// The folder of the store [default: clew in the user's data folder].
    #[arg(long, value_name = "DIR", env = "CLEW_DATA")]
    data: Option<PathBuf>,
}

/// What an import brought.
#[derive(serde::Serialize)]
struct Imported {
    journeys: usize,
    spans: usize,
    native: usize,
}

impl Import {
    pub(crate) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let replayed = self.replay.run(&self.captures, true)?;
        let settings = Settings { data: self.data.clone(), ..Settings::default() };
        let imported = crate::runtime()?.block_on(self.keep(replayed, &settings))?;
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

    async fn keep(&self, replayed: Replayed, settings: &Settings) -> anyhow::Result<Imported> {
        let lake = Lake::open(settings.lake()?).await.context("cannot open the store")?;
        let Replayed { journeys, spans, edges, native, .. } = replayed;
        let imported = Imported { journeys: journeys.len(), spans: spans.len(), native: native.len() };
        let progress = Progress::new(native.len());
        for (at, chunk) in native.chunks(SPANS).enumerate() {
            progress.tell(at * SPANS);
            lake.append(vec![Record::Spans(otlp_protobuf(chunk))]).await?;
        }
        let upserts = Upserts { journeys, spans, edges, retired: Vec::new() };
        lake.weave(Woven { cluster: self.replay.cluster().into(), upserts }).await?;
        progress.say("writing the tables");
        lake.flush().await?;
        progress.clear();
        lake.close().await?;
        Ok(imported)
    }
}

/// A line on a terminal that says how far it is.
struct Progress {
    of: usize,
    terminal: bool,
}

impl Progress {
    fn new(of: usize) -> Self {
        Self { of, terminal: std::io::stderr().is_terminal() }
    }

    fn tell(&self, done: usize) {
        self.say(&format!("{done} of {} native spans", self.of));
    }

    fn say(&self, text: &str) {
        if self.terminal {
            eprint!("\r\x1b[K{text}");
        }
    }

    fn clear(&self) {
        self.say("");
    }
}
