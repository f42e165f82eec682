//! `clew weave`: captures in, journeys out.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clew_collect::encode::otlp_json;
use clew_collect::replay::Replayed;

use super::replay::ReplayArgs;
use crate::args::{Global, NO_ROWS, Output};
use crate::table;

const EXAMPLES: &str = "\
Examples:
  clew weave captures/rollout                         a table of the journeys
  clew weave audit.log                                an API server's audit log alone
  clew weave today.tar.zst --output jsonl             one journey a line, for jq
  clew weave captures/rollout --output otlp           spans for Jaeger or a collector
  clew weave captures/busy --sources watch            without the audit log";

/// Weave captures or audit logs into journeys.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Weave {
    /// Captures (folders, .tar or .tar.zst) or single audit logs, all of one cluster.
    #[arg(required = true, value_name = "CAPTURE")]
    captures: Vec<PathBuf>,
    #[command(flatten)]
    replay: ReplayArgs,
}

impl Weave {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let replayed = self.replay.run(&self.captures, global.output == Output::Otlp)?;
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        match print(&replayed, global.output, &mut out) {
            // Whoever reads has read enough, as `head` does.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
            result => result.map(|()| ExitCode::SUCCESS).map_err(Into::into),
        }
    }
}

fn print(replayed: &Replayed, output: Output, out: &mut impl Write) -> std::io::Result<()> {
    match output {
        Output::Text => table::journeys(&replayed.journeys, out),
        Output::Json => writeln!(out, "{}", serde_json::to_string_pretty(&replayed.journeys)?),
        Output::Jsonl => {
            for journey in &replayed.journeys {
                writeln!(out, "{}", serde_json::to_string(journey)?)?;
            }
            Ok(())
        }
        Output::Otlp => {
            let native = clew_weave::reparent(replayed.native.clone(), &replayed.edges);
            let spans: Vec<_> = replayed.spans.iter().cloned().chain(native).collect();
            writeln!(out, "{}", otlp_json(&spans))
        }
        Output::Csv | Output::Parquet => Err(std::io::Error::other(NO_ROWS)),
    }
}
