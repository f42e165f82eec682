//! One version of one object, reduced to what causes, convergence and diffs need.

use clew_model::Time;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Condition, Pod, Progress, Revision, Uid};

/// What kind of object, in the two ways that Kubernetes names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Kind {
    /// The API group, empty for the core group.
    pub group: CompactString,
    /// The version within the group.
    pub version: CompactString,
    /// The plural in the path: `deployments`.
    pub resource: CompactString,
    /// The kind in the body: `Deployment`; empty where no source said.
    pub kind: CompactString,
}

/// An owner reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// The owner.
    pub uid: Uid,
    /// Its kind.
    pub kind: CompactString,
    /// Its API group; empty for the core group.
    pub group: CompactString,
    /// Its name.
    pub name: CompactString,
    /// Whether it is the one that manages the object.
    pub controller: bool,
}

/// An object that manages others by a convention of labels or annotations: a Flux Kustomization, an Argo CD Application.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ManagedBy {
    /// Its kind.
    pub kind: CompactString,
    /// Its namespace; none where the convention does not say it.
    pub namespace: Option<CompactString>,
    /// Its name.
    pub name: CompactString,
}

/// A mark that tells causes apart and that Kubernetes leaves in labels, annotations or the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// A Job that the CronJob controller made for a tick, rather than a person from a CronJob.
    Tick,
    /// A Job that a person made from a CronJob.
    Manual,
}

/// A writer in `managedFields`: all that the watch knows of who wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manager {
    /// The field manager's name.
    pub name: CompactString,
    /// The subresource that it wrote, empty for the object itself.
    pub subresource: CompactString,
    /// When, to the second.
    pub time: Time,
}

/// One version of one object.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ObjectState {
    /// What kind of object it is.
    pub kind: Kind,
    /// Its namespace, empty for the cluster's own.
    pub namespace: CompactString,
    /// Its name.
    pub name: CompactString,
    /// Its UID.
    pub uid: Uid,
    /// The version; 0 where it is not known. etcd's revision, so one order for the whole cluster.
    pub version: u64,
    /// The generation; 0 for kinds without one.
    pub generation: i64,
    /// When it was created.
    pub created: Option<Time>,
    /// When it is to be gone, once its deletion was asked for.
    pub deleting: Option<Time>,
    /// Its owners.
    pub owners: SmallVec<[Owner; 1]>,
    /// Finalizers that hold its deletion.
    pub finalizers: SmallVec<[CompactString; 1]>,
    /// A hash of all that makes a change: all but status, managedFields, versions and clew's own annotations.
    pub content: u64,
    /// A hash of the same without labels, annotations and other metadata: of what the object asks for.
    pub spec: u64,
    /// A hash of the pod template without the controllers' own labels; 0 where there is none.
    pub template: u64,
    /// How many replicas the spec asks for.
    pub replicas: Option<i64>,
    /// Hashes of the names and UIDs that the object mentions outside its owners: see [`crate::mention`].
    pub mentions: SmallVec<[u64; 4]>,
    /// For EndpointSlices and Endpoints: a hash of each pod behind it, and of its conditions.
    pub endpoints: Vec<(u64, u8)>,
    /// What Kubernetes marked it with.
    pub mark: Option<Mark>,
    /// The spec, data and metadata that diffs are made of, as minified JSON; secret values already hashed.
    pub body: Option<Box<str>>,
    /// How far it is.
    pub progress: Progress,
    /// Whether its status has a word for being done.
    pub concluded: bool,
    /// What its controllers say of it.
    pub conditions: Vec<Condition>,
    /// What a pod does, for pods.
    pub pod: Option<Box<Pod>>,
    /// Who wrote it, as far as the object itself tells.
    pub managers: SmallVec<[Manager; 2]>,
    /// A trace context that the object carries in an annotation.
    pub context: Option<clew_model::TraceId>,
    /// A hash of what its status says, without times; 0 where it has none.
    pub status: u64,
    /// The objects that manage it by a convention of labels or annotations, rather than as its owner.
    pub managed_by: SmallVec<[ManagedBy; 1]>,
    /// What its controller fetched from outside the cluster.
    pub revision: Option<Box<Revision>>,
}

impl ObjectState {
    /// The owner that manages the object, if it has one.
    pub fn controller(&self) -> Option<&Owner> {
        self.owners.iter().find(|owner| owner.controller).or(self.owners.first())
    }
}

/// How the watch came by a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Observed {
    /// It was there when the watch began: nobody knows what made it.
    Listed,
    /// It came into being.
    Added,
    /// It changed.
    Modified,
    /// It is gone; the state is its last.
    Deleted,
}

/// An object version that the watch saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// When the watcher read it.
    pub time: Time,
    /// How it came.
    pub observed: Observed,
    /// The version.
    pub state: ObjectState,
}
