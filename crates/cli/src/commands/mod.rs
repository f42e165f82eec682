//! The commands, one file each.

mod capture;
mod completions;
mod demo;
mod doctor;
mod export;
mod filters;
mod import;
mod install;
mod journeys;
mod kubectl;
mod place;
mod replay;
mod running;
mod sql;
mod store;
mod trace;
pub(crate) mod up;
mod weave;

use std::process::ExitCode;

use clap::Subcommand;

use crate::args::Clew;

/// What clew can be asked to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Capture(Box<capture::Capture>),
    Completions(completions::Completions),
    Demo(Box<demo::Demo>),
    Doctor(doctor::Doctor),
    Export(export::Export),
    Import(import::Import),
    Install(install::Install),
    Journeys(journeys::Journeys),
    Kubectl(kubectl::Kubectl),
    Sql(sql::Sql),
    Store(store::StoreCommand),
    Trace(trace::Trace),
    Up(Box<up::Up>),
    Weave(weave::Weave),
}

impl Command {
    /// Whether it takes in as much as others send, for as long as it runs.
    pub(crate) fn keeps_a_store(&self) -> bool {
        matches!(self, Self::Demo(_) | Self::Import(_) | Self::Up(_))
    }
}

/// Runs the command that was asked for.
pub(crate) fn run(clew: Clew) -> anyhow::Result<ExitCode> {
    match clew.command {
        Command::Capture(command) => command.run(&clew.global),
        Command::Completions(command) => command.run(),
        Command::Demo(command) => command.run(),
        Command::Doctor(command) => command.run(&clew.global),
        Command::Export(command) => command.run(),
        Command::Import(command) => command.run(&clew.global),
        Command::Install(command) => command.run(),
        Command::Journeys(command) => command.run(&clew.global),
        Command::Kubectl(command) => command.run(&clew.global),
        Command::Sql(command) => command.run(&clew.global),
        Command::Store(command) => command.run(&clew.global),
        Command::Trace(command) => command.run(&clew.global),
        Command::Up(command) => command.run(),
        Command::Weave(command) => command.run(&clew.global),
    }
}
