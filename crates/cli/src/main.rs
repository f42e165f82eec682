//! The one binary `clew`: flags, wiring, signals and progress; the work itself is done by the libraries.

mod arenas;
mod args;
mod browser;
mod client;
mod commands;
mod exit;
mod following;
mod plugin;
mod rows;
mod serving;
mod signals;
mod table;
mod waterfall;

use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

fn main() -> ExitCode {
    // Two are linked, ours and the lake's, so that rustls wants to be told. Fails only if one is set already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clew = args::Clew::parse_from(plugin::arguments(std::env::args_os()));
    if clew.command.keeps_a_store() {
        arenas::few();
    }
    match commands::run(clew) {
        Ok(code) => code,
        Err(error) => exit::failed(&error),
    }
}

/// The runtime of commands that wait for others.
fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the runtime")
}
