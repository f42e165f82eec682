//! What comes out: journeys, spans and edges, each with a deterministic id, so that the newest version wins.

use clew_model::{CommandId, Evidence, Span, SpanId, Time, TraceId};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use crate::RootKind;
use crate::fact::{Revision, Uid};

/// What one call changed.
#[derive(Debug, Default)]
pub struct Upserts {
    /// Journeys that are new or not what they were.
    pub journeys: Vec<Journey>,
    /// Their spans, all of each journey that changed.
    pub spans: Vec<Span>,
    /// Why each span hangs where it hangs, and which native traces belong to it.
    pub edges: Vec<Edge>,
    /// Journeys that turned out to be part of others.
    pub retired: Vec<TraceId>,
}

/// A root change and everything that it caused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Journey {
    /// The journey's trace id.
    pub journey: TraceId,
    /// The change that began it.
    pub root: Root,
    /// The command that it is part of.
    pub command: Option<CommandId>,
    /// How it stands.
    pub state: State,
    /// What it waits on, while it is not converged.
    pub waiting_on: Option<WaitingOn>,
    /// When it was asked for.
    pub start: Time,
    /// When it converged, failed, or last moved.
    pub end: Time,
    /// The audit id of every write in it.
    pub writes: Vec<Uid>,
    /// Every object that it made, changed or deleted.
    pub objects: Vec<JourneyObject>,
    /// How many spans it has, without those of its segments.
    pub spans: usize,
    /// The native traces that belong to it.
    pub segments: Vec<TraceId>,
    /// What decided its duration.
    pub critical_path: Vec<CriticalPart>,
    /// What is worth a look.
    pub findings: Vec<Finding>,
    /// What the root changed, field by field.
    pub diff: Vec<FieldDiff>,
}

/// The change that began a journey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Root {
    /// The audit id, where the audit log has it.
    #[serde(rename = "auditID")]
    pub audit: Option<Uid>,
    /// What was asked.
    pub verb: CompactString,
    /// Of what.
    pub resource: CompactString,
    /// The subresource, empty for the object itself.
    pub subresource: CompactString,
    /// The namespace.
    pub namespace: CompactString,
    /// The name.
    pub name: CompactString,
    /// Who asked.
    pub user: CompactString,
    /// With what.
    pub agent: CompactString,
    /// Why it is a root.
    pub kind: RootKind,
    /// What a controller fetched, if that began the journey: a Git commit, an artifact, a chart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
}

/// How a journey stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It is on its way.
    Open,
    /// All that was asked for is there.
    Converged,
    /// Something gave up.
    Failed,
    /// Nothing has moved for too long.
    Stuck,
}

/// What a journey waits on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitingOn {
    /// `ImagePullBackOff`, `Unschedulable`, `Terminating`.
    pub reason: CompactString,
    /// A sentence with the component's own words.
    pub message: String,
    /// The object that waits.
    pub object: JourneyObject,
}

/// An object of a journey.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JourneyObject {
    /// Its UID.
    pub uid: Uid,
    /// Its kind, or its resource where no source told the kind.
    pub kind: CompactString,
    /// Its namespace.
    pub namespace: CompactString,
    /// Its name.
    pub name: CompactString,
}

/// A part of the chain that decided a journey's duration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriticalPart {
    /// What it was.
    pub name: CompactString,
    /// Its share, in milliseconds.
    pub ms: f64,
}

/// Something that is worth a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// `fight`, `loop`, `refused`, `restarts`.
    pub kind: CompactString,
    /// A sentence.
    pub message: String,
}

/// What a change did to one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldDiff {
    /// Where.
    pub path: String,
    /// What was there; none if nothing was.
    pub before: Option<String>,
    /// What is there; none if nothing is.
    pub after: Option<String>,
}

impl std::fmt::Display for FieldDiff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let side = |value: &Option<String>| value.clone().unwrap_or_else(|| "∅".to_owned());
        write!(f, "{}: {} → {}", self.path, side(&self.before), side(&self.after))
    }
}

/// Why something hangs on a span of a journey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Edge {
    /// The journey.
    pub journey: TraceId,
    /// The span that it hangs on.
    pub parent: SpanId,
    /// What hangs on it.
    pub child: Child,
    /// Why clew says so.
    pub evidence: Evidence,
}

/// What hangs on a span.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Child {
    /// A span of the journey.
    Span(SpanId),
    /// A native trace: its roots hang on the span.
    Segment(TraceId),
}
