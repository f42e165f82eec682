//! `clew trace`: one journey as a waterfall in the terminal.

mod kinds;
mod live;
mod recorded;
mod why;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clew_collect::encode::otlp_json;
use clew_model::Span;
use clew_weave::Journey;

use super::replay::ReplayArgs;
use crate::args::{Global, NO_ROWS, Output};
use crate::client::ServerArgs;
use crate::waterfall::{self, Look};

const EXAMPLES: &str = "\
Examples:
  clew trace deploy/web -n shop                          the last journey of that Deployment
  clew trace deploy/web -n shop --watch                  drawn again until it is over
  clew trace captures/rollout deploy/web                 of a capture
  clew trace captures/broken deploy/good --critical      only what decided its duration
  clew trace captures/flux deploy/app -n one --why       why each write is in the journey
  clew trace captures/rollout 3f2a91                     a journey by the beginning of its id

Exit codes:
  0  drawn; with --watch, the journey has converged
  1  failed; the reason is on standard error
  3  with --watch: the journey failed
  4  with --watch: the journey is stuck
  5  with --watch: time is over";

/// Draw one journey as a waterfall: of a running clew, or of a capture.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that people give or leave out")]
#[command(after_help = EXAMPLES, allow_missing_positional = true)]
pub(crate) struct Trace {
    /// A capture (a folder, a .tar.zst or an audit log); without one, a running clew is asked.
    #[arg(value_name = "CAPTURE", conflicts_with_all = ["watch", "server"])]
    capture: Option<PathBuf>,
    /// KIND/NAME of the object that was changed, or a journey's id.
    #[arg(value_name = "KIND/NAME|JOURNEY", required = true)]
    what: String,
    /// The object's namespace.
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// How deep to draw.
    #[arg(long, default_value_t = 6, value_name = "LEVELS")]
    depth: usize,
    /// Print the critical path only.
    #[arg(long)]
    critical: bool,
    /// Say why each span hangs where it hangs.
    #[arg(long)]
    evidence: bool,
    /// Print why each write is in the journey: the cause that won and the candidates that lost. Needs a capture.
    #[arg(long, requires = "capture", conflicts_with_all = ["critical", "native"])]
    why: bool,
    /// Draw the components' own spans too.
    #[arg(long)]
    native: bool,
    /// Draw it again while it goes on, until it has converged, failed or is stuck.
    #[arg(long)]
    watch: bool,
    /// How long to watch it.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "watch")]
    timeout: u64,
    #[command(flatten)]
    server: ServerArgs,
    #[command(flatten)]
    replay: ReplayArgs,
}

impl Trace {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let drawn = match &self.capture {
            Some(capture) => self.of_capture(capture, global),
            None => crate::runtime()?.block_on(self.of_server(&self.server.client()?, global)),
        };
        match drawn {
            Err(error) if crate::exit::is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
            result => result,
        }
    }

    /// Prints one journey in the form that was asked for.
    fn print(&self, journey: &Journey, spans: &[Span], output: Output, out: &mut impl Write) -> anyhow::Result<()> {
        let look = Look { depth: self.depth, evidence: self.evidence, width: width() };
        match output {
            Output::Json | Output::Jsonl => writeln!(out, "{}", serde_json::to_string(journey)?)?,
            Output::Otlp => writeln!(out, "{}", otlp_json(spans))?,
            Output::Csv | Output::Parquet => bail!(NO_ROWS),
            Output::Text if self.critical => waterfall::critical(journey, out)?,
            Output::Text => waterfall::draw(journey, spans, &look, out)?,
        }
        Ok(())
    }

    /// Whether the components' own spans are wanted.
    fn wants_native(&self, output: Output) -> bool {
        self.native || output == Output::Otlp
    }
}

fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(terminal_size::Width(width), _)| usize::from(width)).clamp(60, 240)
}
