//! The commands, one file each.

mod capture;
mod completions;
mod replay;
mod trace;
mod weave;

use std::process::ExitCode;

use clap::Subcommand;

use crate::args::Clew;

/// What clew can be asked to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Capture(Box<capture::Capture>),
    Completions(completions::Completions),
    Trace(trace::Trace),
    Weave(weave::Weave),
}

/// Runs the command that was asked for.
pub(crate) fn run(clew: Clew) -> anyhow::Result<ExitCode> {
    match clew.command {
        Command::Capture(command) => command.run(&clew.global),
        Command::Completions(command) => command.run(),
        Command::Trace(command) => command.run(&clew.global),
        Command::Weave(command) => command.run(&clew.global),
    }
}
