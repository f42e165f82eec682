//! `cargo xtask image`.

use std::process::ExitCode;

use clew_e2e::images::{self, Image};
use clew_e2e::{Cluster, Name};

/// The flags of `cargo xtask image`.
#[derive(clap::Args)]
pub(crate) struct Make {
    /// Which image
    image: Image,
    /// Load it into the cluster of this name
    #[arg(long, value_name = "NAME")]
    load: Option<Name>,
}

impl Make {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let archive = self.image.ensure(&mut |line| eprintln!("{line}"))?;
        println!("{} {}", self.image.reference(), archive.display());
        if let Some(name) = self.load {
            images::load(&Cluster::find(&name)?, &archive)?;
            eprintln!("loaded into cluster {name}");
        }
        Ok(ExitCode::SUCCESS)
    }
}
