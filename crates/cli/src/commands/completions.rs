//! `clew completions`: the completions of a shell.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Clew;

/// Print the completions for a shell.
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell to print them for.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints them to standard output; made in memory first, since the generator panics on a closed pipe.
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Clew::command(), "clew", &mut script);
        std::io::stdout().write_all(&script).context("cannot print the completions")?;
        Ok(ExitCode::SUCCESS)
    }
}
