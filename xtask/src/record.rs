//! `cargo xtask record`.

use std::path::PathBuf;
use std::process::ExitCode;

use clew_e2e::record::record;

/// The flags of `cargo xtask record`.
#[derive(clap::Args)]
pub(crate) struct Record {
    /// Which scene: the name of a script in e2e/scenes
    scene: String,
    /// The folder for the capture, which must not exist; captures/SCENE by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The clew that records; built as for its image by default
    #[arg(long, value_name = "FILE")]
    clew: Option<PathBuf>,
}

impl Record {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let out = self.out.unwrap_or_else(|| clew_e2e::folders::repository().join("captures").join(&self.scene));
        let helper = std::env::current_exe()?;
        let mut tell = |line: &str| eprintln!("{line}");
        let actions = record(&helper, &self.scene, self.clew, &out, &mut tell)?;
        println!("{} holds {actions} actions", out.display());
        Ok(ExitCode::SUCCESS)
    }
}
