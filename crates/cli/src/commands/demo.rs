//! `clew demo`: journeys on a machine without a cluster.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clew_collect::capture::{BadLines, Capture};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_collect::replay::{Playing, Timeline};
use clew_collect::weaving::Clock;
use compact_str::CompactString;

use super::up::{Settings, serve, told};
use crate::serving::Serving;
use crate::signals;

const EXAMPLES: &str = "\
Examples:
  clew demo                                  a rollout, a broken one and an operator, ten times as fast as they were
  clew demo --speed 1                        as fast as they were
  clew demo --capture today.tar.zst          a recording of your own";

/// The files of a capture of the repository.
macro_rules! recording {
    ($name:literal) => {
        [
            ("audit.log.zst", include_bytes!(concat!("../../../../captures/", $name, "/audit.log.zst")).as_slice()),
            ("watch.jsonl.zst", include_bytes!(concat!("../../../../captures/", $name, "/watch.jsonl.zst")).as_slice()),
            ("otlp.jsonl.zst", include_bytes!(concat!("../../../../captures/", $name, "/otlp.jsonl.zst")).as_slice()),
        ]
    };
}

/// A file's name and content.
type File = (&'static str, &'static [u8]);

/// The recordings that the demo plays: a rollout, one that fails, and an operator's.
const RECORDINGS: [(&str, [File; 3]); 3] =
    [("rollout", recording!("rollout")), ("operator", recording!("operator")), ("broken", recording!("broken"))];

/// Show journeys of recorded clusters, with no cluster at hand.
///
/// The same as `clew up`, with a store of its own that is gone afterwards unless --data is given.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    #[command(flatten)]
    settings: Settings,
    /// How much faster than it happened.
    #[arg(long, value_name = "FACTOR", default_value_t = 10.0, value_parser = speed)]
    speed: f64,
    /// Play these captures instead: folders, .tar or .tar.zst.
    #[arg(long, value_name = "CAPTURE")]
    capture: Vec<PathBuf>,
    /// Do not open the page in a browser.
    #[arg(long)]
    no_open: bool,
}

impl Demo {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let scratch = tempfile::tempdir().context("cannot make a folder for the demo")?;
        let timeline = self.timeline(scratch.path())?;
        let mut settings = self.settings;
        settings.data.get_or_insert_with(|| scratch.path().join("data"));
        settings.key_file.get_or_insert_with(|| scratch.path().join("key"));
        crate::runtime()?.block_on(async {
            let ended = signals::ended()?;
            let serving = Serving::start(&settings).await?;
            told(&serving, self.no_open);
            let takes = timeline.length().div_f64(self.speed);
            anstream::eprintln!("playing {} of a cluster's life in {}", told_time(timeline.length()), told_time(takes));
            let playing = Playing {
                speed: self.speed,
                ends: Clock::wall().saturating_add(i64::try_from(takes.as_nanos()).unwrap_or_default()),
                clock: serving.clock.clone(),
                sources: serving.sources.clone(),
            };
            let intake = serving.intake.clone();
            let mut task = tokio::spawn(async move { timeline.play(&intake, &playing).await });
            let mut told_to_end = ended.clone();
            let outcome = tokio::select! {
                finished = &mut task => finished.context("the demo ended early")?.context("the demo cannot go on"),
                _ = told_to_end.wait_for(|ended| *ended) => Ok(()),
            };
            task.abort();
            let served = serve(serving, ended).await?;
            outcome.map(|()| served)
        })
    }

    fn timeline(&self, scratch: &Path) -> anyhow::Result<Timeline> {
        let paths = if self.capture.is_empty() { unpack(scratch)? } else { self.capture.clone() };
        let open = |path: &PathBuf| {
            let capture = Capture::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            Ok((cluster_of(path), capture))
        };
        let captures = paths.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        let mut key = [0; 32];
        getrandom::fill(&mut key).context("cannot make a key to hash secrets with")?;
        let mut bad = BadLines::default();
        let timeline = Timeline::read(&captures, &Decoder::new(Redactor::new(key)), &mut bad);
        if bad.count() > 0 {
            anstream::eprintln!("{} bad lines were left out", bad.count());
        }
        Ok(timeline)
    }
}

/// Writes the recordings that are part of the binary into a folder.
fn unpack(scratch: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for (name, files) in RECORDINGS {
        let folder = scratch.join("captures").join(name);
        std::fs::create_dir_all(&folder).context("cannot unpack the demo's recordings")?;
        for (file, bytes) in files {
            std::fs::write(folder.join(file), bytes).context("cannot unpack the demo's recordings")?;
        }
        folders.push(folder);
    }
    Ok(folders)
}

/// Each recording is a cluster of its own, called as its file is.
fn cluster_of(path: &Path) -> CompactString {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().into()
}

fn told_time(duration: Duration) -> String {
    format!("{:.0} s", duration.as_secs_f64())
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (0.01..=10_000.0).contains(speed));
    speed.ok_or_else(|| "use a number from 0.01 to 10000".to_owned())
}
