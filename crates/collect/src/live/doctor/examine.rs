//! Asks a cluster what it allows.

use std::time::UNIX_EPOCH;

use clew_model::Time;
use clew_model::annotation::DEFAULT_KEY;
use serde_json::{Value, json};

use super::findings::{Findings, Running};
use super::rights::rights;
use crate::live::Connection;
use crate::live::ask::{Answer, get, post};
use crate::live::sources::now;
use crate::live::watch::Settings;
use crate::watch::discover;

/// Where a dry run makes its object.
const DRY_RUN: &str = "/api/v1/namespaces/default/configmaps?dryRun=All";
const WEBHOOKS: &str = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

/// Examines one cluster. `running` is what a clew that runs says, if one does; `key` is the annotation that it writes.
pub async fn examine(
    connection: &Connection,
    settings: &Settings,
    running: Option<Running>,
    key: Option<&str>,
) -> Findings {
    let client = &connection.client;
    let asked = now();
    let version = get(client, "/version").await;
    let answered = now();
    let mut findings = Findings { running, now: answered, ..Findings::default() };
    let version = match version {
        Err(error) => {
            findings.version = Some(Err(error));
            return findings;
        }
        Ok(version) => version,
    };
    findings.skew = skew(&version, asked, answered);
    findings.version = Some(named(&version));
    if let Ok(resources) = discover(client, &settings.effective_scope()).await {
        findings.rights = rights(client, resources).await;
    }
    findings.webhook_configured = get(client, WEBHOOKS).await.ok().and_then(|answer| is_configured(&answer));
    findings.webhook_stamps = stamps(connection, key.unwrap_or(DEFAULT_KEY)).await;
    findings.kubelet_tracing = kubelet_tracing(connection).await;
    findings
}

fn named(answer: &Answer) -> Result<String, String> {
    let version = answer.body.get("gitVersion").and_then(Value::as_str);
    version.map(str::to_owned).ok_or_else(|| format!("/version answered {}", answer.code))
}

/// How far the server's clock is ahead; the header has whole seconds, and the answer was made between two moments.
fn skew(answer: &Answer, asked: Time, answered: Time) -> Option<i64> {
    let date = answer.headers.get(http::header::DATE)?.to_str().ok()?;
    let date = httpdate(date)?;
    let (earliest, latest) = (asked.saturating_sub(1_000_000_000), answered);
    if date < earliest {
        return Some(-earliest.since(date));
    }
    Some(if date > latest { date.since(latest) } else { 0 })
}

/// Reads `Sun, 15 Nov 2026 15:54:00 GMT`.
fn httpdate(text: &str) -> Option<Time> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let parts: Vec<&str> = text.split([' ', ',']).filter(|part| !part.is_empty()).collect();
    let [_, day, month, year, clock, "GMT"] = parts.as_slice() else { return None };
    let month = MONTHS.iter().position(|name| name == month)? + 1;
    format!("{year}-{month:02}-{day:0>2}T{clock}Z").parse().ok()
}

fn is_configured(answer: &Answer) -> Option<bool> {
    let items = answer.body.get("items")?.as_array()?;
    let is_ours = |hook: &Value| hook.get("name") == Some(&Value::from("traceparent.clew.dev"));
    let hooks = items.iter().filter_map(|item| item.get("webhooks")?.as_array());
    Some(hooks.flatten().any(is_ours))
}

/// Whether an object that is only made in a dry run comes back with a context.
async fn stamps(connection: &Connection, key: &str) -> Option<bool> {
    let nanos = std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("clew-doctor-{nanos}")}, "data": {},
    });
    let answer = post(&connection.client, DRY_RUN, &object).await.ok().filter(|answer| answer.code == 201)?;
    Some(answer.body.pointer("/metadata/annotations").is_some_and(|annotations| annotations.get(key).is_some()))
}

/// Whether the first node's kubelet has a tracing section; few may ask.
async fn kubelet_tracing(connection: &Connection) -> Option<bool> {
    let nodes = get(&connection.client, "/api/v1/nodes?limit=1").await.ok()?;
    let name = nodes.body.pointer("/items/0/metadata/name")?.as_str()?.to_owned();
    let config = get(&connection.client, &format!("/api/v1/nodes/{name}/proxy/configz")).await.ok()?;
    let config = Some(config).filter(|answer| answer.code == 200)?;
    Some(config.body.pointer("/kubeletconfig/tracing").is_some_and(|tracing| !tracing.is_null()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(date: &str) -> Answer {
        let headers = http::HeaderMap::from_iter([(http::header::DATE, date.parse().expect("a value"))]);
        Answer { code: 200, headers, body: Value::Null }
    }

    #[test]
    fn a_clock_is_wrong_by_what_the_answer_cannot_explain() {
        let at = |text: &str| text.parse::<Time>().expect("a time");
        let (asked, answered) = (at("2026-11-15T15:54:03.9Z"), at("2026-11-15T15:54:04.1Z"));
        let skew = |date: &str| skew(&answer(date), asked, answered);
        assert_eq!(skew("Sun, 15 Nov 2026 15:54:03 GMT"), Some(0));
        assert_eq!(skew("Sun, 15 Nov 2026 15:54:04 GMT"), Some(0));
        assert_eq!(skew("Sun, 15 Nov 2026 15:54:09 GMT"), Some(4_900_000_000));
        assert_eq!(skew("Sun, 15 Nov 2026 15:53:59 GMT"), Some(-3_900_000_000));
        assert_eq!(skew("yesterday"), None);
    }
}
