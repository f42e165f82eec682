//! An object in the weaver's memory: its newest version and the steps that made it.

use clew_model::Time;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::fact::{Mark, Pod, Progress, Uid};
use crate::step::StepId;
use crate::symbol::Symbol;

/// The number of an object in the weaver's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ObjectId(pub(crate) u32);

/// One object.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Object {
    pub(crate) uid: Uid,
    pub(crate) group: Symbol,
    pub(crate) api_version: Symbol,
    pub(crate) resource: Symbol,
    pub(crate) kind: Symbol,
    pub(crate) namespace: Symbol,
    pub(crate) name: CompactString,
    /// The version that the fields below are of.
    pub(crate) version: u64,
    pub(crate) owner: Option<ObjectId>,
    pub(crate) mark: Option<Mark>,
    pub(crate) mentions: SmallVec<[u64; 4]>,
    pub(crate) progress: Progress,
    pub(crate) pod: Option<Box<Pod>>,
    pub(crate) finalizers: SmallVec<[CompactString; 1]>,
    pub(crate) deleting: Option<Time>,
    pub(crate) created: Option<Time>,
    pub(crate) gone: Option<Time>,
    /// Whether it stands for a name whose object is not known.
    pub(crate) placeholder: bool,
    /// The bodies that diffs are made of, by the hash of their content.
    pub(crate) bodies: SmallVec<[(u64, Box<str>); 1]>,
    /// What it owns.
    pub(crate) children: Vec<ObjectId>,
    /// All steps, by version or time.
    pub(crate) steps: Vec<StepId>,
    /// Those that are changes.
    pub(crate) changes: SmallVec<[StepId; 2]>,
    /// Changes of what it owns that it did not cause: it will react to them.
    pub(crate) disturbances: Vec<StepId>,
    /// Kubernetes events about it.
    pub(crate) events: Vec<Happening>,
    /// Calls to the container runtime for it.
    pub(crate) calls: Vec<crate::fact::CriCall>,
}

/// A Kubernetes event about an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Happening {
    pub(crate) uid: Uid,
    pub(crate) count: u64,
    pub(crate) time: Time,
    pub(crate) reason: Symbol,
    pub(crate) source: Symbol,
    pub(crate) message: Box<str>,
    pub(crate) warning: bool,
}
