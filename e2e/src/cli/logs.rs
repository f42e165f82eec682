//! `cluster logs`.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Context as _;

use crate::folders::RunDir;
use crate::{Error, Name};

/// The flags of `cluster logs`.
#[derive(Debug, clap::Args)]
pub struct Logs {
    /// Which part (kube-apiserver, kubelet, …); all of them if none is named
    part: Option<String>,
    /// Which cluster
    #[arg(long, default_value = "default")]
    name: Name,
    /// Go on as the log grows
    #[arg(long, short)]
    follow: bool,
    /// How many of the last lines
    #[arg(long, default_value_t = 50)]
    lines: u32,
}

impl Logs {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let files = self.files()?;
        let mut tail = Command::new("tail");
        tail.arg(format!("--lines={}", self.lines)).args(self.follow.then_some("--follow")).args(files);
        let status = tail.status().context("cannot start tail")?;
        Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        let run = RunDir::of(&self.name)?;
        let entries = std::fs::read_dir(run.logs()).map_err(|_| Error::NotUp(self.name.to_string()))?;
        let mut all: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        all.sort();
        let Some(part) = &self.part else { return Ok(all) };
        let wanted = run.log(part);
        if all.contains(&wanted) {
            return Ok(vec![wanted]);
        }
        let names: Vec<_> = all.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
        anyhow::bail!("no part is called {part:?}: there are {}", names.join(", "))
    }
}
