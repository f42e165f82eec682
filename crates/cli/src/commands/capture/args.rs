//! The flags of `clew capture`, and the plan that they make.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clew_collect::capture::{Source, Sources};
use clew_collect::record::{AuditFrom, OtlpFrom, Plan, WatchFrom};
use clew_collect::watch::{Pattern, Selection};

const AFTER_HELP: &str = "\
Each source is optional: what cannot be had is said in one line, and the rest is recorded.
Secret values, tokens and objects marked with kelemetry.kubewharf.io/diff-redacted are replaced by
a keyed hash before they are written; the key is made for this recording and kept nowhere.

Examples:
  clew capture --out today --for 10m --audit-log /var/log/kubernetes/audit.log
  clew capture --out today --sources watch --exclude leases,events
  clew capture --out today --audit-webhook 127.0.0.1:9880 --otlp 127.0.0.1:4317

Exit codes:
  0  recorded; the summary tells what could not be had
  1  nothing could be recorded, or the disk failed
  2  the command line was not understood";

/// Record a live cluster: its audit events, every object version, the spans of its components.
///
/// Ends with Ctrl-C, SIGTERM or after --for. A kill loses no more than a second.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Capture {
    /// The folder to record into; must not hold a capture yet.
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// What to record.
    #[arg(long, value_name = "LIST", default_value = "audit,watch,otlp")]
    sources: Sources,
    /// How long to record, such as 90s, 10m or 1h30m; until Ctrl-C if not given.
    #[arg(long = "for", value_name = "DURATION", value_parser = duration)]
    pub(super) duration: Option<Duration>,
    /// The kubeconfig of the cluster to watch; by default where kubectl looks.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// The context in the kubeconfig; by default its current one.
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// The API server's audit log, followed through rotation.
    #[arg(long, value_name = "FILE", conflicts_with = "audit_webhook")]
    audit_log: Option<PathBuf>,
    /// Where to receive the API server's audit webhook, posted to /audit/CLUSTER.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    audit_webhook: Option<SocketAddr>,
    /// Where to receive spans over OTLP/gRPC.
    #[arg(long, value_name = "ADDR", value_parser = address, default_value = "127.0.0.1:4317")]
    otlp: SocketAddr,
    /// Where to receive spans over OTLP/HTTP.
    #[arg(long, value_name = "ADDR", value_parser = address, default_value = "127.0.0.1:4318")]
    otlp_http: SocketAddr,
    /// Watch only these resources: pods, deployments.apps, *.example.com.
    #[arg(long, value_name = "RESOURCE", value_delimiter = ',')]
    include: Vec<Pattern>,
    /// Do not watch these resources.
    #[arg(long, value_name = "RESOURCE", value_delimiter = ',')]
    exclude: Vec<Pattern>,
}

impl Capture {
    /// What to record, with a fresh key for what must not be shown.
    pub(super) fn plan(&self) -> anyhow::Result<Plan> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).context("cannot get randomness for the key of the redaction")?;
        Ok(Plan { out: self.out.clone(), key, audit: self.audit(), watch: self.watch(), otlp: self.otlp() })
    }

    /// Whether audit events are wanted, but nothing says where from.
    pub(super) fn audit_is_missing(&self) -> bool {
        self.sources.contains(Source::Audit) && self.audit().is_none()
    }

    /// Where it will listen.
    pub(super) fn addresses(&self) -> Vec<(Source, SocketAddr)> {
        let webhook = match self.audit() {
            Some(AuditFrom::Webhook(address)) => Some((Source::Audit, address)),
            Some(AuditFrom::Log(_)) | None => None,
        };
        let otlp = self.otlp().map(|otlp| [(Source::Otlp, otlp.grpc), (Source::Otlp, otlp.http)]);
        webhook.into_iter().chain(otlp.into_iter().flatten()).collect()
    }

    fn audit(&self) -> Option<AuditFrom> {
        if !self.sources.contains(Source::Audit) {
            return None;
        }
        let log = self.audit_log.clone().map(AuditFrom::Log);
        log.or(self.audit_webhook.map(AuditFrom::Webhook))
    }

    fn watch(&self) -> Option<WatchFrom> {
        self.sources.contains(Source::Watch).then(|| WatchFrom {
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
            selection: Selection { include: self.include.clone(), exclude: self.exclude.clone() },
        })
    }

    fn otlp(&self) -> Option<OtlpFrom> {
        let wanted = self.sources.contains(Source::Otlp);
        wanted.then_some(OtlpFrom { grpc: self.otlp, http: self.otlp_http })
    }
}

/// An address; a port alone means loopback.
fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.trim_start_matches(':').parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let text = text.strip_prefix("localhost:").map_or(text.to_owned(), |port| format!("127.0.0.1:{port}"));
    text.parse().map_err(|_| "use IP:PORT, such as 127.0.0.1:4317, or a port alone for loopback".to_owned())
}

fn duration(text: &str) -> Result<Duration, String> {
    let parsed = text.parse::<jiff::SignedDuration>().ok().and_then(|signed| Duration::try_from(signed).ok());
    let positive = parsed.filter(|duration| !duration.is_zero());
    positive.ok_or_else(|| "use a number and a unit, such as 90s, 10m or 1h30m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_on_loopback() {
        for text in ["4317", ":4317", "localhost:4317", "127.0.0.1:4317"] {
            assert_eq!(address(text).map(|address| address.to_string()), Ok("127.0.0.1:4317".to_owned()));
        }
        assert!(address("example.com:1").is_err());
    }

    #[test]
    fn durations_are_read_as_people_write_them() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_mins(90)));
        for text in ["", "0s", "-1s", "ten"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
