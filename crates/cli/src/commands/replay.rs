//! Reading captures for the commands that weave them: sources, progress, and the words about what was bad.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clew_collect::capture::{BadLines, Capture, ReadOptions, Sources};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_collect::replay::{Replay, Replayed};

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
    /// The cluster's name.
    pub(crate) fn cluster(&self) -> &str {
        &self.cluster
    }

    /// Reads the captures and weaves them; tells on standard error what was read and what was bad.
    pub(crate) fn run(&self, paths: &[PathBuf], keep_native: bool) -> anyhow::Result<Replayed> {
        let open = |path: &PathBuf| Capture::open(path).with_context(|| format!("cannot read {}", path.display()));
        let captures = paths.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        let mut key = [0; 32];
        getrandom::fill(&mut key).context("cannot make a key to hash secrets with")?;
        let decoder = Decoder::new(Redactor::new(key));
        let terminal = std::io::stderr().is_terminal();
        let mut progress = |bytes: u64| {
            if terminal {
                eprint!("\r{} MiB read", bytes >> 20);
            }
        };
        let mut bad = BadLines::default();
        let began = Instant::now();
        let options = ReadOptions { sources: self.sources, ..ReadOptions::default() };
        let mut replay = Replay { options, cluster: self.cluster.clone(), keep_native, progress: &mut progress };
        let replayed = replay.run(&captures, &decoder, &mut bad);
        if terminal {
            eprint!("\r\x1b[K");
        }
        tell_bad(&bad);
        tell(&replayed, bad.count(), began.elapsed().as_secs_f64());
        Ok(replayed)
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

fn tell(replayed: &Replayed, bad: u64, seconds: f64) {
    let stats = &replayed.stats;
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = stats.facts as f64 / seconds.max(1e-9);
    eprintln!(
        "{} facts, {} journeys, {} background, {} unplaced, {bad} bad lines, {rate:.0} facts/s",
        stats.facts,
        replayed.journeys.len(),
        stats.background,
        stats.unplaced,
    );
}
