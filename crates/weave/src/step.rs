//! A step: one write, one object version, or both when two sources told of the same.

use clew_model::{Evidence, Time};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::actor::ActorId;
use crate::fact::{Latency, Reason, Revision, Uid, Verb};
use crate::object::ObjectId;
use crate::symbol::Symbol;

/// Two objects that the watch saw this close to each other may have been made by one request.
const AT_ONCE: i64 = 500_000_000;

/// The number of a step in the weaver's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct StepId(pub(crate) u32);

/// What a step did to its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Effect {
    /// Nothing that anybody reacts to: a heartbeat, a binding, a refusal, a version that is only known from a list.
    #[default]
    Attached,
    /// Said something new in its status.
    Reported,
    /// Made it.
    Created,
    /// Changed it.
    Changed,
    /// Asked for its deletion.
    Deleted,
}

/// What kind of root a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootKind {
    /// A person or a pipeline asked for it.
    Request,
    /// A timer ticked.
    Timer,
    /// A controller did it for a reason outside the cluster's objects: load, a node that failed.
    External,
}

/// Why a step happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Cause {
    /// Nothing known explains it, and it is no change of its own: background.
    #[default]
    None,
    /// Nothing in the cluster caused it.
    Root(RootKind),
    /// An earlier step did.
    Step(StepId, Evidence),
}

/// What is known of the version that a step made.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about the version, and any may hold")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Digest {
    /// The hash of all that makes a change; none where the source did not show the object.
    pub(crate) content: Option<u64>,
    pub(crate) spec: u64,
    pub(crate) template: u64,
    pub(crate) replicas: Option<i64>,
    pub(crate) generation: i64,
    /// Whether its deletion was asked for.
    pub(crate) deleting: bool,
    /// Whether it had converged.
    pub(crate) current: bool,
    /// Whether its status says so, rather than nothing.
    pub(crate) done: bool,
    /// Whether it had given up.
    pub(crate) failed: bool,
    /// The hash of what its status says; 0 where it has none.
    pub(crate) status: u64,
}

impl Digest {
    /// Whether two versions ask for the same, as far as is known.
    pub(crate) fn is_alike(&self, other: &Digest) -> bool {
        self.content.is_none() || other.content.is_none() || self.spec == other.spec
    }
}

/// How a step became known, which decides what it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Origin {
    /// The object was there when the watch began.
    Listed,
    /// The watch saw it come into being.
    Added,
    /// The watch saw a new version.
    Modified,
    /// The watch saw it go.
    Gone,
    /// The audit log has it, and it made a version.
    Wrote,
    /// The audit log has it, and it deleted the object.
    Removed,
    /// The audit log has it, and it made nothing that has a version.
    Leaf,
}

/// One write, one object version, or both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) object: ObjectId,
    pub(crate) origin: Origin,
    /// The version that it made; 0 if none is known.
    pub(crate) version: u64,
    /// For a deletion without a version: the version that the watch saw it make.
    pub(crate) adopted: u64,
    /// When it was asked for, or else observed.
    pub(crate) time: Time,
    /// When it was answered, or else observed.
    pub(crate) done: Time,
    pub(crate) audit: Option<Uid>,
    pub(crate) verb: Verb,
    pub(crate) subresource: Symbol,
    pub(crate) actor: Option<ActorId>,
    /// Whether the request made the object.
    pub(crate) creates: bool,
    pub(crate) digest: Digest,
    pub(crate) effect: Effect,
    pub(crate) cause: Cause,
    /// Whether its cause was looked for since it came.
    pub(crate) settled: bool,
    /// The root of the journey that it is filed under.
    pub(crate) journey: Option<StepId>,
    /// The writers that the version names, for a version whose write nobody audited.
    pub(crate) managers: SmallVec<[ManagerMark; 2]>,
    /// Other causes that it also had.
    pub(crate) links: SmallVec<[StepId; 1]>,
    pub(crate) extra: Option<Box<Extra>>,
}

/// One entry of managedFields: who, and a hash by which two versions' entries are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManagerMark {
    pub(crate) actor: ActorId,
    pub(crate) hash: u32,
    pub(crate) status: bool,
}

/// What few steps have.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extra {
    /// The HTTP status and the words of a refusal.
    pub(crate) refused: Option<(u16, Reason)>,
    /// The parts of a slow request.
    pub(crate) latencies: Vec<Latency>,
    /// The object that a token is bound to.
    pub(crate) bound: Option<ObjectId>,
    /// The owner that a refused create named.
    pub(crate) owner: Option<ObjectId>,
    /// The pods behind an EndpointSlice or Endpoints in this version, as mentions, with their conditions.
    pub(crate) endpoints: Vec<(u64, u8)>,
    /// The trace that the request or the object carried.
    pub(crate) context: Option<clew_model::TraceId>,
    /// What its controller had fetched in this version.
    pub(crate) revision: Option<Box<Revision>>,
}

impl Step {
    /// Whether the step is a change: it altered the object outside its status.
    pub(crate) fn is_change(&self) -> bool {
        !matches!(self.effect, Effect::Attached | Effect::Reported)
    }

    /// Whether others may react to the step: a change, or a status that says something new.
    pub(crate) fn is_news(&self) -> bool {
        self.effect != Effect::Attached
    }

    /// Whether it came before another: by etcd's order where both have a version, by time where not.
    pub(crate) fn before(&self, other: &Step) -> bool {
        let (rank, others) = (self.version.max(self.adopted), other.version.max(other.adopted));
        if rank > 0 && others > 0 {
            return rank < others;
        }
        self.time < other.time
    }

    /// Whether it may have caused another: it came before, or the other was made in the course of it, as a Service's
    /// address is before the Service itself.
    pub(crate) fn may_cause(&self, other: &Step) -> bool {
        let nested = self.audit.is_some() && other.audit.is_some() && self.time < other.time && other.done <= self.done;
        let at_once = self.audit.is_none() && other.audit.is_none() && self.effect == Effect::Created;
        self.before(other) || nested || (at_once && self.time.since(other.time).abs() < AT_ONCE)
    }

    /// Whether nobody knows who wrote it: the watch sees a deletion, not who asked.
    pub(crate) fn actor_is_unknown(&self) -> bool {
        self.audit.is_none()
    }

    pub(crate) fn extra(&self) -> Option<&Extra> {
        self.extra.as_deref()
    }

    pub(crate) fn refused(&self) -> Option<&(u16, Reason)> {
        self.extra()?.refused.as_ref()
    }

    pub(crate) fn extra_mut(&mut self) -> &mut Extra {
        self.extra.get_or_insert_default()
    }
}
