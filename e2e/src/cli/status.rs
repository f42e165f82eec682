//! `cluster status`.

use std::process::ExitCode;

use crate::{Cluster, Name};

/// The flags of `cluster status`.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// Which cluster
    #[arg(long, default_value = "default")]
    name: Name,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t)]
    output: Output,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Output {
    #[default]
    Table,
    Json,
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let status = Cluster::find(&self.name)?.status()?;
        match self.output {
            Output::Table => print!("{}", status.table()),
            Output::Json => println!("{}", serde_json::to_string_pretty(&status)?),
        }
        Ok(ExitCode::SUCCESS)
    }
}
