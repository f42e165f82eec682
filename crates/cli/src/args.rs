//! The command line as a whole: the global flags and the list of commands.

use clap::{Parser, ValueEnum};

use crate::commands::Command;

const EXAMPLES: &str = "\
Examples:
  clew demo                                journeys of recorded clusters, in the page
  clew up --kubeconfig ~/.kube/config      follow a cluster, and serve the page
  clew kubectl --wait apply -f shop.yaml   kubectl, followed until everything has converged
  clew journeys --state stuck              what needs a look
  clew weave captures/rollout              print the journeys of a recording
  clew trace captures/rollout deploy/web   draw one of them as a waterfall
  clew capture --out today --for 10m       record a live cluster for ten minutes
  clew completions bash > clew.bash        make the completions of a shell

Exit codes:
  0  done
  1  failed; the reason is on standard error
  2  the command line was not understood";

/// The thread through Kubernetes: one trace from the command to the container that runs.
#[derive(Debug, Parser)]
#[command(name = "clew", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Clew {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Global {
    /// How results are printed on standard output.
    #[arg(long, global = true, value_enum, default_value_t = Output::Text, env = "CLEW_OUTPUT")]
    pub(crate) output: Output,
}

/// The forms in which a command can print its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people.
    Text,
    /// One JSON document.
    Json,
    /// One JSON document a line.
    Jsonl,
    /// Spans as OTLP/JSON, for commands that make spans.
    Otlp,
    /// Comma-separated values, for commands that make rows.
    Csv,
    /// A Parquet file, for commands that make rows.
    Parquet,
}

/// What a command says whose result is no table.
pub(crate) const NO_ROWS: &str = "this command makes no rows: choose --output text, json, jsonl or otlp";
