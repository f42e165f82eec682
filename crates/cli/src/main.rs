//! The one binary `clew`: flags, wiring, signals and progress; the work itself is done by the libraries.

mod args;
mod commands;
mod exit;
mod table;
mod waterfall;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let clew = args::Clew::parse();
    match commands::run(clew) {
        Ok(code) => code,
        Err(error) => exit::failed(&error),
    }
}
