//! The test cluster's own program, for its tests; people use `cargo xtask cluster`, which is the same code.

use std::process::ExitCode;

use clap::Parser;
use clew_e2e::{cli, helper};

/// A real Kubernetes cluster in one command.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: cli::Command,
}

fn main() -> ExitCode {
    if let Some(result) = helper::dispatch() {
        return cli::exit_code(result.map(|()| ExitCode::SUCCESS));
    }
    cli::exit_code(Arguments::parse().command.run())
}
