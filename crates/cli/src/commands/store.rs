//! `clew store`: how a store is, and what keeps it well.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;
use clew_collect::encode::otlp_json;
use clew_store::lake::{Lake, Report};
use clew_store::{Filter, Health, Progress, Store as _, StoreError, TimeRange};

use super::import::Import;
use super::place::{Place, existing};
use super::up::Keep;
use crate::args::{Global, NO_ROWS, Output};

const EXAMPLES: &str = "\
Examples:
  clew store status                      its tables, their files and sizes
  clew store verify                      read every file and compare it with its checksum
  clew store compact --data ./lake       merge small files, and let go of what is too old
  clew store compact --keep-size 5GiB    the same, and of the oldest days until it fits
  clew store export --out spans.jsonl    every span as OTLP/JSON
  clew store import captures/rollout     the same as `clew import`

The store must not be open in a running clew: its own page, System, shows the status of that one.

Exit codes:
  0  done; nothing is wrong
  1  failed; the reason is on standard error
  2  the command line was not understood
  3  verify found something wrong";

/// See how a store is, verify it, compact it, take spans out or put captures in.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StoreCommand {
    #[command(subcommand)]
    what: What,
}

/// Which store, and how long it keeps what.
#[derive(Debug, clap::Args)]
struct Kept {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    keep: Keep,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Tell of the tables, the log and what went wrong.
    Status(Kept),
    /// Merge small files, let go of what is too old, and remove files that nothing names.
    Compact(Kept),
    /// Read everything and compare it with its checksums, sizes and counts.
    Verify(Place),
    /// Write every span as OTLP/JSON, one request a line.
    Export {
        #[command(flatten)]
        place: Place,
        /// The file to write; standard output by default.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Load captures, audit logs or OTLP/JSON.
    Import(Import),
}

impl StoreCommand {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let options = match &self.what {
            What::Status(kept) | What::Compact(kept) => kept.place.keeping(kept.keep)?,
            What::Verify(place) | What::Export { place, .. } => place.options()?,
            What::Import(import) => return import.run(global),
        };
        let options = existing(options)?;
        crate::runtime()?.block_on(async {
            let lake = Lake::open(options).await.context("cannot open the store")?;
            let code = self.act(&lake, global.output).await?;
            lake.close().await?;
            Ok(code)
        })
    }

    async fn act(&self, lake: &Lake, output: Output) -> anyhow::Result<ExitCode> {
        match &self.what {
            What::Status(_) => told(output, &lake.health().await?, status)?,
            What::Compact(_) => {
                lake.compact(progress).await?;
                clear();
                told(output, &lake.health().await?, status)?;
            }
            What::Verify(_) => {
                let report = lake.verify(progress).await?;
                clear();
                told(output, &report, verified)?;
                return Ok(if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(3) });
            }
            What::Export { out, .. } => export(lake, out.as_ref()).await?,
            What::Import(_) => {}
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn told<T: serde::Serialize>(output: Output, what: &T, words: fn(&T) -> String) -> anyhow::Result<()> {
    match output {
        Output::Text => print!("{}", words(what)),
        Output::Json => println!("{}", serde_json::to_string_pretty(what)?),
        Output::Jsonl => println!("{}", serde_json::to_string(what)?),
        Output::Otlp | Output::Csv | Output::Parquet => anyhow::bail!(NO_ROWS),
    }
    Ok(())
}

fn status(health: &Health) -> String {
    let mut text = format!("{:<10}{:>10}{:>12}{:>14}{:>12}\n", "TABLE", "FILES", "ROWS", "BYTES", "IN MEMORY");
    for table in &health.tables {
        let clew_store::TableHealth { name, files, rows, bytes, hot_rows, .. } = table;
        let _ = writeln!(text, "{name:<10}{files:>10}{rows:>12}{bytes:>14}{hot_rows:>12}");
    }
    let _ = writeln!(text, "log: {} bytes; tables at {}", health.log_bytes, health.location);
    for (reason, count) in &health.drops {
        let _ = writeln!(text, "dropped: {count}, {reason}");
    }
    for problem in &health.problems {
        let _ = writeln!(text, "problem: {problem}");
    }
    text
}

fn verified(report: &Report) -> String {
    let mut text = format!("{} files, {} rows, {} bytes read\n", report.files, report.rows, report.bytes);
    for problem in &report.problems {
        let _ = writeln!(text, "wrong: {problem}");
    }
    if report.problems.is_empty() {
        text.push_str("nothing is wrong\n");
    }
    text
}

async fn export(lake: &Lake, out: Option<&PathBuf>) -> anyhow::Result<()> {
    let mut out: Box<dyn Write> = match out {
        Some(path) => {
            Box::new(BufWriter::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?))
        }
        None => Box::new(std::io::stdout()),
    };
    let failed =
        |error: std::io::Error| StoreError::Io { doing: "write", what: "the spans".into(), reason: error.to_string() };
    let range = TimeRange::default();
    let count =
        lake.each_span(range, &Filter::All, |spans| writeln!(out, "{}", otlp_json(&spans)).map_err(failed)).await?;
    out.flush().context("cannot write the spans")?;
    eprintln!("{count} spans written");
    Ok(())
}

fn progress(Progress { doing, done, of }: Progress) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{done} of {of}: {doing}");
    }
}

fn clear() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}
