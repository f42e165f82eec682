//! Reading captures for the commands that weave them: sources, progress, and the words about what was bad.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clew_collect::capture::{BadLines, Capture, ReadOptions, Sources};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_collect::replay::{Import, Imported, Replay, Replayed};
use clew_store::Store;

/// What is read, and as which cluster.
#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// What to use of the captures: audit, watch, otlp.
    #[arg(long, value_name = "LIST", default_value = "audit,watch,otlp")]
    sources: Sources,
    /// The cluster's name, which every journey's id depends on.
    #[arg(long, value_name = "NAME", default_value = "default")]
    cluster: String,
}

impl ReplayArgs {
    /// Reads the captures and weaves them; tells on standard error what was read and what was bad.
    pub(crate) fn run(&self, paths: &[PathBuf], keep_native: bool) -> anyhow::Result<Replayed> {
        let (captures, decoder) = (open(paths)?, decoder()?);
        let progress = Progress::new();
        let mut bad = BadLines::default();
        let began = Instant::now();
        let mut replay = Replay {
            options: self.options(),
            cluster: self.cluster.clone(),
            keep_native,
            progress: &mut |bytes| progress.read(bytes),
        };
        let replayed = replay.run(&captures, &decoder, &mut bad);
        progress.clear();
        tell_bad(&bad);
        tell(&replayed, bad.count(), began.elapsed());
        Ok(replayed)
    }

    /// Reads the captures, weaves them into a store and tells the same.
    pub(crate) async fn import(&self, paths: &[PathBuf], store: &dyn Store) -> anyhow::Result<Imported> {
        let (captures, decoder) = (open(paths)?, decoder()?);
        let progress = Progress::new();
        let began = Instant::now();
        let mut import = Import {
            options: self.options(),
            cluster: self.cluster.as_str().into(),
            progress: &mut |bytes| progress.read(bytes),
        };
        let imported = import.run(captures, &decoder, store).await?;
        progress.clear();
        tell_bad(&imported.bad);
        let (facts, bad) = (imported.facts, imported.bad.count());
        eprintln!("{facts} facts, {bad} bad lines, {:.0} facts/s", rate(facts, began.elapsed()));
        Ok(imported)
    }

    fn options(&self) -> ReadOptions {
        ReadOptions { sources: self.sources, ..ReadOptions::default() }
    }
}

fn open(paths: &[PathBuf]) -> anyhow::Result<Vec<Capture>> {
    let open = |path: &PathBuf| Capture::open(path).with_context(|| format!("cannot read {}", path.display()));
    paths.iter().map(open).collect()
}

fn decoder() -> anyhow::Result<Decoder> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).context("cannot make a key to hash secrets with")?;
    Ok(Decoder::new(Redactor::new(key)))
}

/// A line on a terminal that says how far it is.
struct Progress {
    terminal: bool,
}

impl Progress {
    fn new() -> Self {
        Self { terminal: std::io::stderr().is_terminal() }
    }

    fn read(&self, bytes: u64) {
        if self.terminal {
            eprint!("\r{} MiB read", bytes >> 20);
        }
    }

    fn clear(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }
}

fn tell_bad(bad: &BadLines) {
    for (file, lines) in bad.files() {
        for line in &lines.first {
            eprintln!("{file}:{}: {}", line.number, line.reason);
        }
        let more = lines.count.saturating_sub(lines.first.len() as u64);
        if more > 0 {
            eprintln!("{file}: {more} more bad lines");
        }
        if let Some(broken) = &lines.broken {
            eprintln!("{file}: {broken}");
        }
    }
}

fn tell(replayed: &Replayed, bad: u64, took: Duration) {
    let stats = &replayed.stats;
    eprintln!(
        "{} facts, {} journeys, {} background, {} unplaced, {bad} bad lines, {:.0} facts/s",
        stats.facts,
        replayed.journeys.len(),
        stats.background,
        stats.unplaced,
        rate(stats.facts, took),
    );
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn rate(facts: u64, took: Duration) -> f64 {
    facts as f64 / took.as_secs_f64().max(1e-9)
}
