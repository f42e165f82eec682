//! A journey as a list shows it.

use clew_model::{CommandId, Time, TraceId};
use clew_store::JourneyRow;
use clew_weave::fact::Uid;
use clew_weave::{CriticalPart, Finding, Journey, RootKind, State, WaitingOn};
use serde::Serialize;

use crate::clock::millis;
use crate::title::title;

/// One row of the list of journeys.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Row<'a> {
    journey: TraceId,
    cluster: &'a str,
    title: String,
    root: RootView<'a>,
    command: Option<CommandId>,
    state: State,
    waiting_on: Option<&'a WaitingOn>,
    start: Time,
    end: Time,
    duration_ms: f64,
    counts: Counts,
    critical_path: &'a [CriticalPart],
    findings: &'a [Finding],
    usual: Option<Usual>,
}

/// The change that began the journey.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RootView<'a> {
    #[serde(rename = "auditID")]
    audit: Option<&'a Uid>,
    verb: &'a str,
    resource: &'a str,
    subresource: &'a str,
    kind: RootKind,
    object_kind: &'a str,
    namespace: &'a str,
    name: &'a str,
    user: &'a str,
    agent: &'a str,
}

/// How large the journey is.
#[derive(Debug, Serialize)]
struct Counts {
    objects: usize,
    writes: usize,
    spans: usize,
    segments: usize,
    errors: u64,
}

/// How long journeys of the same kind usually take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Usual {
    pub(crate) p50_ms: f64,
    pub(crate) p95_ms: f64,
    pub(crate) count: u64,
}

impl<'a> Row<'a> {
    pub(crate) fn new(row: &'a JourneyRow, usual: Option<Usual>) -> Self {
        Self::of(&row.cluster, &row.journey, row.errors, usual)
    }

    pub(crate) fn of(cluster: &'a str, journey: &'a Journey, errors: u64, usual: Option<Usual>) -> Self {
        let root = &journey.root;
        Self {
            journey: journey.journey,
            cluster,
            title: title(journey),
            root: RootView {
                audit: root.audit.as_ref(),
                verb: &root.verb,
                resource: &root.resource,
                subresource: &root.subresource,
                kind: root.kind,
                object_kind: object_kind(journey),
                namespace: &root.namespace,
                name: &root.name,
                user: &root.user,
                agent: &root.agent,
            },
            command: journey.command,
            state: journey.state,
            waiting_on: journey.waiting_on.as_ref(),
            start: journey.start,
            end: journey.end,
            duration_ms: millis(journey.end.since(journey.start).max(0)),
            counts: Counts {
                objects: journey.objects.len(),
                writes: journey.writes.len(),
                spans: journey.spans,
                segments: journey.segments.len(),
                errors,
            },
            critical_path: &journey.critical_path,
            findings: &journey.findings,
            usual,
        }
    }
}

/// The kind of the object that a journey's root changed, or its resource where no source told the kind.
pub fn object_kind(journey: &Journey) -> &str {
    let root = &journey.root;
    let same = journey.objects.iter().filter(|object| object.name == root.name && object.namespace == root.namespace);
    let mut kinds = same.map(|object| object.kind.as_str());
    kinds.find(|kind| is_kind_of(kind, &root.resource)).unwrap_or(&root.resource)
}

/// Whether a resource is the plural of a kind, as the API machinery guesses plurals.
fn is_kind_of(kind: &str, resource: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    let plural = match kind.strip_suffix('y') {
        Some(stem) if !kind.ends_with("ay") && !kind.ends_with("ey") => format!("{stem}ies"),
        _ if kind.ends_with('s') || kind.ends_with("ch") || kind.ends_with('x') => format!("{kind}es"),
        _ => format!("{kind}s"),
    };
    plural == resource || kind == resource
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_those_of_the_api_machinery() {
        let pairs = [
            ("Deployment", "deployments"),
            ("NetworkPolicy", "networkpolicies"),
            ("PriorityClass", "priorityclasses"),
            ("Ingress", "ingresses"),
            ("Gateway", "gateways"),
            ("Endpoints", "endpoints"),
        ];
        for (kind, resource) in pairs {
            assert!(is_kind_of(kind, resource), "{kind}");
        }
        assert!(!is_kind_of("Pod", "deployments"));
    }
}
