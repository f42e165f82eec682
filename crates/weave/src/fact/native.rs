//! What components, runtimes, webhooks and commands report besides objects and writes.

use clew_model::{SpanId, Time, TraceId};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Kind, Uid};

/// A Kubernetes event, of either API group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KubeEvent {
    /// The event's own UID.
    pub uid: Uid,
    /// How often it was seen.
    pub count: u64,
    /// When it was last seen.
    pub time: Time,
    /// The object that it is about.
    pub about: Uid,
    /// That object's kind.
    pub kind: CompactString,
    /// `Pulled`, `FailedScheduling`.
    pub reason: CompactString,
    /// The component's words.
    pub message: Box<str>,
    /// Whether it warns.
    pub warning: bool,
    /// Who reports.
    pub source: CompactString,
}

/// Spans of a native trace that came together, reduced to what places them: the weaver places whole traces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeSpans {
    /// The native trace.
    pub trace: TraceId,
    /// How many spans.
    pub spans: u32,
    /// When the first of them began.
    pub start: Time,
    /// The audited request that they serve.
    pub audit: Option<Uid>,
    /// The pod that they work on.
    pub pod: Option<Uid>,
    /// The sandbox or container that they work on.
    pub runtime: Option<CompactString>,
    /// The admission review that they answer.
    pub review: Option<Uid>,
    /// Traces that they are linked to.
    pub links: SmallVec<[TraceId; 1]>,
}

/// A call to the container runtime, as the node's proxy saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriCall {
    /// The span of the call.
    pub span: SpanId,
    /// `RunPodSandbox`, `PullImage`.
    pub method: CompactString,
    /// The pod, where the call or what came before it tells.
    pub pod: Option<Uid>,
    /// The sandbox or container.
    pub runtime: Option<CompactString>,
    /// When it began.
    pub start: Time,
    /// When it ended.
    pub end: Time,
    /// What went wrong; empty when nothing did.
    pub error: Box<str>,
}

/// A call to clew's admission webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Admission {
    /// The review's UID.
    pub review: Uid,
    /// When it came.
    pub time: Time,
    /// The kind of object.
    pub kind: Kind,
    /// The object's namespace.
    pub namespace: CompactString,
    /// The object's name.
    pub name: CompactString,
    /// The object's UID, which a create does not have yet.
    pub uid: Option<Uid>,
    /// The trace of the API server's call.
    pub trace: Option<TraceId>,
}

/// A step of a command that clew traces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandStep {
    /// The command's trace, which its requests carry.
    pub trace: TraceId,
    /// The step's span.
    pub span: SpanId,
    /// The step's name.
    pub name: CompactString,
    /// When it began.
    pub start: Time,
    /// When it ended, if it did.
    pub end: Option<Time>,
    /// What went wrong; empty when nothing did.
    pub error: Box<str>,
}
