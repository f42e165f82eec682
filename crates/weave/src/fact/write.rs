//! An audited write: who asked for what, and what came of it.

use clew_model::{Time, TraceId};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Kind, ObjectState, Owner, Uid};

/// What was asked of the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// Make an object, or a subresource such as a binding, an eviction or a token.
    Create,
    /// Replace an object.
    Update,
    /// Change parts of an object, or apply.
    Patch,
    /// Delete an object.
    Delete,
    /// Delete all objects that a selector names.
    DeleteCollection,
}

impl Verb {
    /// The verb as the audit log has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
        }
    }

    /// Reads the audit log's verb; none for those that read.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "create" => Self::Create,
            "update" => Self::Update,
            "patch" => Self::Patch,
            "delete" => Self::Delete,
            "deletecollection" => Self::DeleteCollection,
            _ => return None,
        })
    }
}

/// Who asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Actor {
    /// The user, or the one who is impersonated.
    pub user: CompactString,
    /// The user agent, whole.
    pub agent: CompactString,
    /// The address that the request came from.
    pub address: CompactString,
}

/// What the request named.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Target {
    /// The kind of object.
    pub kind: Kind,
    /// The subresource, empty for the object itself.
    pub subresource: CompactString,
    /// The namespace.
    pub namespace: CompactString,
    /// The name; empty for a create with a generated name that failed.
    pub name: CompactString,
    /// The UID, where any part of the event has it.
    pub uid: Option<Uid>,
    /// The owners that the request named, for a create that was refused.
    pub owners: SmallVec<[Owner; 1]>,
    /// The object that the request is bound to: the pod of a token.
    pub bound: Option<Uid>,
}

/// What came of a write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Effect {
    /// The object as it is now.
    Object(Box<ObjectState>),
    /// A new version of which only the replicas are known: the answer of `/scale`.
    Scaled {
        /// The object's UID.
        uid: Uid,
        /// The version that came of it.
        version: u64,
        /// The replicas that are asked for now.
        replicas: i64,
    },
    /// These objects were deleted, or marked so: their state before.
    Deleted(Vec<ObjectState>),
    /// Done, without a new version that the answer would show.
    Done,
    /// Refused; nothing changed.
    Refused {
        /// The HTTP status.
        code: u16,
        /// The reason in the answer.
        reason: CompactString,
        /// The answer's message.
        message: Box<str>,
    },
}

/// A part of a slow request, as `apiserver.latency.k8s.io/*` has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latency {
    /// `etcd`, `mutating-webhook`, `total`.
    pub part: CompactString,
    /// How long, in nanoseconds.
    pub nanos: i64,
}

/// One write that the API server audited, at its last stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Write {
    /// The audit id.
    pub audit: Uid,
    /// When the request came.
    pub received: Time,
    /// When it was answered.
    pub done: Time,
    /// What was asked.
    pub verb: Verb,
    /// Who asked.
    pub actor: Actor,
    /// Of what.
    pub target: Target,
    /// What came of it.
    pub effect: Effect,
    /// Whether it made the object, as a create does, and an apply of what was not there.
    pub creates: bool,
    /// The trace that the caller carried, where the source tells.
    pub context: Option<TraceId>,
    /// The parts of a slow request.
    pub latencies: Vec<Latency>,
}
