//! An object in the weaver's memory: its newest version and the steps that made it.

use clew_model::Time;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::fact::{Mark, Pod, Progress, Uid};
use crate::step::StepId;
use crate::symbol::Symbol;

/// The bodies that are kept of one object.
const MAX_BODIES: usize = 16;

/// The states of one object that are remembered beyond their versions.
const MAX_SAID: usize = 16;

/// The number of an object in the weaver's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ObjectId(pub(crate) u32);

/// One object.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Object {
    pub(crate) uid: Uid,
    pub(crate) resource: Symbol,
    pub(crate) kind: Symbol,
    pub(crate) namespace: Symbol,
    pub(crate) name: CompactString,
    /// Whether its kind is none of Kubernetes' own.
    pub(crate) custom: bool,
    /// What manages it by a convention: kind, namespace and name.
    pub(crate) managed_by: SmallVec<[(Symbol, Option<Symbol>, u64); 1]>,
    /// The version that the fields below are of.
    pub(crate) version: u64,
    pub(crate) owner: Option<ObjectId>,
    /// The newest version that named the owner.
    pub(crate) owner_version: u64,
    pub(crate) mark: Option<Mark>,
    pub(crate) mentions: Box<[u64]>,
    pub(crate) progress: Progress,
    /// The lines of its conditions: shown, never looked into.
    pub(crate) conditions: Box<str>,
    pub(crate) pod: Option<Box<Pod>>,
    pub(crate) finalizers: SmallVec<[CompactString; 1]>,
    pub(crate) created: Option<Time>,
    pub(crate) gone: Option<Time>,
    /// Whether it stands for a name whose object is not known.
    pub(crate) placeholder: bool,
    /// The bodies that diffs are made of.
    pub(crate) bodies: SmallVec<[Body; 1]>,
    /// What it owns.
    pub(crate) children: Vec<ObjectId>,
    /// All steps, by version or time.
    pub(crate) steps: Vec<StepId>,
    /// Those that are changes.
    pub(crate) changes: SmallVec<[StepId; 2]>,
    /// Those whose status says something new.
    pub(crate) reports: Vec<StepId>,
    /// What its status said in versions that are forgotten.
    pub(crate) said: Vec<u64>,
    /// Changes of what it owns that it did not cause: it will react to them.
    pub(crate) disturbances: Vec<StepId>,
    /// Creates in its name that were refused.
    pub(crate) attempts: Vec<StepId>,
    /// Kubernetes events about it.
    pub(crate) events: Vec<Happening>,
    /// Calls to the container runtime for it.
    pub(crate) calls: Vec<crate::fact::CriCall>,
}

impl Object {
    /// Notes that it was gone by then; the earliest to tell knows best.
    pub(crate) fn goes(&mut self, time: Time) {
        self.gone = Some(self.gone.map_or(time, |gone| gone.min(time)));
    }

    /// Remembers what its status said in a version that is forgotten.
    pub(crate) fn has_said(&mut self, status: u64) {
        if status == 0 || self.said.contains(&status) {
            return;
        }
        if self.said.len() >= MAX_SAID {
            self.said.remove(0);
        }
        self.said.push(status);
    }

    /// Keeps the body of a version, so long as it is among the newest.
    pub(crate) fn keep_body(&mut self, version: u64, content: u64, body: &str) {
        if let Some(known) = self.bodies.iter_mut().find(|known| known.content == content) {
            known.version = known.version.max(version);
            return;
        }
        self.bodies.push(Body { version, content, text: body.into() });
        if self.bodies.len() > MAX_BODIES {
            let oldest = (0..self.bodies.len()).min_by_key(|at| self.bodies[*at].version);
            self.bodies.swap_remove(oldest.unwrap_or_default());
        }
    }
}

/// A body that diffs are made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Body {
    /// The newest version that has it.
    pub(crate) version: u64,
    pub(crate) content: u64,
    pub(crate) text: Box<str>,
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
