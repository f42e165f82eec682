//! The project's own commands: `cargo xtask setup`, `cargo xtask cluster …`, `cargo xtask image …`, `cargo xtask record …`.
//!
//! What lives here is their command lines; the work is done by `clew-e2e`, so that tests use the same code.

mod image;
mod record;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use clew_e2e::{cli, helper, tools};

/// The project's own commands
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install and build what the tests need: packages, Kubernetes, kwok, images; each only if missing
    Setup,
    /// A real Kubernetes cluster in one command
    #[command(subcommand)]
    Cluster(cli::Command),
    /// Make an image from a static binary, and load it into a cluster
    Image(image::Make),
    /// Play a scene on a fresh cluster and record it as a capture
    Record(record::Record),
}

fn main() -> ExitCode {
    if let Some(result) = helper::dispatch() {
        return cli::exit_code(result.map(|()| ExitCode::SUCCESS));
    }
    cli::exit_code(run(Arguments::parse().command))
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Setup => {
            tools::set_up(&mut |line| eprintln!("{line}"))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Cluster(command) => command.run(),
        Command::Image(make) => make.run(),
        Command::Record(record) => record.run(),
    }
}
