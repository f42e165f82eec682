//! `clew trace`: one journey as a waterfall in the terminal.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clew_collect::encode::otlp_json;
use clew_collect::replay::Replayed;
use clew_weave::Journey;

use super::replay::ReplayArgs;
use crate::args::{Global, NO_ROWS, Output};
use crate::waterfall::{self, Look};

const EXAMPLES: &str = "\
Examples:
  clew trace captures/rollout deploy/web                 the last journey of that Deployment
  clew trace captures/rollout deployment/web -n shop     in that namespace
  clew trace captures/broken deploy/good --critical      only what decided its duration
  clew trace captures/rollout 3f2a91                     a journey by the beginning of its id";

/// Draw one journey of a capture as a waterfall.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Trace {
    /// The capture: a folder, a .tar.zst or an audit log.
    #[arg(value_name = "CAPTURE")]
    capture: PathBuf,
    /// KIND/NAME of the object that was changed, or a journey's id.
    #[arg(value_name = "KIND/NAME|JOURNEY")]
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
    /// Draw the components' own spans too.
    #[arg(long)]
    native: bool,
    #[command(flatten)]
    replay: ReplayArgs,
}

impl Trace {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let replayed = self.replay.run(std::slice::from_ref(&self.capture), true)?;
        let journey = self.find(&replayed)?;
        let look = Look { depth: self.depth, evidence: self.evidence, width: width() };
        let native = if self.native || global.output == Output::Otlp { &replayed.native[..] } else { &[] };
        let native = clew_weave::reparent(native, &replayed.edges);
        let all = replayed.spans.iter().cloned().chain(native);
        let spans: Vec<_> = all.filter(|span| span.trace_id == journey.journey).collect();
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        let printed = match global.output {
            Output::Json | Output::Jsonl => {
                std::io::Write::write_all(&mut out, format!("{}\n", serde_json::to_string(journey)?).as_bytes())
            }
            Output::Otlp => std::io::Write::write_all(&mut out, format!("{}\n", otlp_json(&spans)).as_bytes()),
            Output::Csv | Output::Parquet => bail!(NO_ROWS),
            Output::Text if self.critical => waterfall::critical(journey, &mut out),
            Output::Text => waterfall::draw(journey, &spans, &look, &mut out),
        };
        match printed {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
            result => result.map(|()| ExitCode::SUCCESS).map_err(Into::into),
        }
    }

    fn find<'a>(&self, replayed: &'a Replayed) -> anyhow::Result<&'a Journey> {
        let Some((kind, name)) = self.what.split_once('/') else { return self.by_id(replayed) };
        let kind = kind.to_ascii_lowercase();
        let mut matching = replayed.journeys.iter().filter(|journey| {
            let root = &journey.root;
            let right_place = self.namespace.as_ref().is_none_or(|namespace| root.namespace == *namespace);
            right_place && root.name == name && is_kind(&kind, &root.resource)
        });
        matching.next_back().with_context(|| {
            format!(
                "no journey begins with {}: see `clew weave {}` for those there are",
                self.what,
                self.capture.display()
            )
        })
    }

    fn by_id<'a>(&self, replayed: &'a Replayed) -> anyhow::Result<&'a Journey> {
        let wanted = self.what.to_ascii_lowercase();
        let mut matching = replayed.journeys.iter().filter(|journey| {
            let own = journey.journey.to_string().starts_with(&wanted);
            own || journey.segments.iter().any(|segment| segment.to_string() == wanted)
        });
        match (matching.next(), matching.next()) {
            (Some(journey), None) => Ok(journey),
            (Some(_), Some(_)) => bail!("several journeys' ids begin with {wanted}: write more of it"),
            (None, _) => bail!("no journey's id begins with {wanted}: see `clew weave {}`", self.capture.display()),
        }
    }
}

/// Whether what a person typed means the resource: `deploy`, `deployment`, `deployments`.
fn is_kind(typed: &str, resource: &str) -> bool {
    let short = match typed {
        "deploy" => "deployments",
        "rs" => "replicasets",
        "sts" => "statefulsets",
        "ds" => "daemonsets",
        "po" => "pods",
        "svc" => "services",
        "ns" => "namespaces",
        "cm" => "configmaps",
        "pvc" => "persistentvolumeclaims",
        "pv" => "persistentvolumes",
        "cj" => "cronjobs",
        "hpa" => "horizontalpodautoscalers",
        "sa" => "serviceaccounts",
        other => other,
    };
    resource == short || resource.strip_suffix('s') == Some(short) || resource.strip_suffix("es") == Some(short)
}

fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(terminal_size::Width(width), _)| usize::from(width)).clamp(60, 240)
}
