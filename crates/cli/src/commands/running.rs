//! What a clew that runs says of itself, for the doctor.

use std::time::Duration;

use anyhow::Context;
use clew_collect::live::doctor::{Reach, Running};
use clew_model::Time;
use serde::Deserialize;

use crate::client::ServerArgs;

/// How long an answer may take where nobody said that a clew runs.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
struct Status {
    sources: Vec<Source>,
    drops: Vec<Drop>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Source {
    name: String,
    kind: String,
    state: String,
    last_seen: Option<Time>,
    message: String,
}

#[derive(Deserialize)]
struct Drop {
    stage: String,
    reason: String,
    count: u64,
}

/// Asks the clew that is named, which must answer; else the one at the usual address, if there is one.
pub(super) async fn running(server: &ServerArgs) -> anyhow::Result<Option<Running>> {
    let client = server.client()?;
    let asked = client.json::<Status>("/api/v1/status", &[]);
    if server.server().is_some() {
        return Ok(Some(told(&asked.await.context("cannot ask the running clew")?)));
    }
    Ok(tokio::time::timeout(PATIENCE, asked).await.ok().and_then(Result::ok).map(|status| told(&status)))
}

fn told(status: &Status) -> Running {
    let newest = |kind: &str| status.sources.iter().filter(|it| it.kind == kind).filter_map(|it| it.last_seen).max();
    let reach = |kind| newest(kind).map_or(Reach::Never, Reach::Seen);
    let failing = status.sources.iter().filter(|it| it.state == "failed");
    Running {
        audit: reach("audit"),
        spans: reach("otlp"),
        up: status.sources.iter().filter(|it| it.state == "up").count(),
        failing: failing.map(|it| format!("{}: {}", it.name, it.message)).collect(),
        lost: status.drops.iter().map(|it| (format!("{}: {}", it.stage, it.reason), it.count)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_tells_what_reaches_a_clew_and_what_was_lost() {
        let status = serde_json::json!({
            "version": "1", "sources": [
                {"name": "log", "kind": "audit", "state": "up", "lastSeen": "2026-11-15T18:00:00Z", "message": ""},
                {"name": "secrets", "kind": "watch", "state": "failed", "lastSeen": null, "message": "forbidden"},
            ],
            "drops": [{"stage": "otlp", "reason": "span: too large", "count": 3}],
        });
        let running = told(&serde_json::from_value(status).expect("a status"));
        assert!(matches!(running.audit, Reach::Seen(_)) && running.spans == Reach::Never);
        assert_eq!((running.up, running.failing.as_slice()), (1, &["secrets: forbidden".to_owned()][..]));
        assert_eq!(running.lost, [("otlp: span: too large".to_owned(), 3)]);
    }
}
