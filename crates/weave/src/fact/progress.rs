//! How far an object is on its way to the state that was asked for.

use clew_model::Time;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Why an object is not there yet: a word for machines and a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reason {
    /// `ImagePullBackOff`, `Unschedulable`, `ProgressDeadlineExceeded`.
    pub reason: CompactString,
    /// The component's own words.
    pub message: Box<str>,
}

/// The state of an object by the rules of kstatus.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Progress {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// It is what was asked for.
    Current,
    /// It is on its way.
    InProgress(Box<Reason>),
    /// It gave up.
    Failed(Box<Reason>),
}

impl Progress {
    /// Whether nothing more is to come.
    pub fn is_current(&self) -> bool {
        matches!(self, Self::Current | Self::Unknown)
    }

    /// Why not, where that is known.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::InProgress(reason) | Self::Failed(reason) => Some(reason),
            Self::Unknown | Self::Current => None,
        }
    }
}

/// What a pod's status tells of its way.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pod {
    /// The node, once there is one.
    pub node: CompactString,
    /// `Pending`, `Running`, `Succeeded`, `Failed`.
    pub phase: CompactString,
    /// When the scheduler chose a node.
    pub scheduled: Option<Time>,
    /// When the sandbox and its network were up.
    pub sandbox: Option<Time>,
    /// When the last init container was done.
    pub initialized: Option<Time>,
    /// When it became ready, while it is.
    pub ready: Option<Time>,
    /// Whether a component of Kubernetes ended it: the taint manager, the scheduler, the garbage collector, the kubelet.
    pub disrupted: bool,
    /// The regular containers.
    pub containers: SmallVec<[Container; 1]>,
}

/// A container in a pod's status.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Container {
    /// Its name.
    pub name: CompactString,
    /// When it started, if it runs or ran.
    pub started: Option<Time>,
    /// When it ended, if it did.
    pub finished: Option<Time>,
    /// Its exit code, if it ended.
    pub exit: Option<i32>,
    /// How often it was started again.
    pub restarts: u32,
}
