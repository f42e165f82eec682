//! What a source reported, decoded: the only thing that enters the weaver.

mod condition;
mod native;
mod object;
mod progress;
mod revision;
mod shift;
mod uid;
mod write;

pub use condition::{Condition, NotACondition};
pub use native::{Admission, CommandStep, CriCall, KubeEvent, NativeSpans};
pub use object::{Kind, ManagedBy, Manager, Mark, ObjectState, Observation, Observed, Owner};
pub use progress::{Container, Pod, Progress, Reason};
pub use revision::Revision;
pub use uid::Uid;
pub use write::{Actor, Effect, Latency, Target, Verb, Write};

use serde::{Deserialize, Serialize};

/// One thing that a source reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Fact {
    /// An audited write.
    Write(Box<Write>),
    /// An observed object version.
    Observation(Box<Observation>),
    /// A Kubernetes event.
    Event(Box<KubeEvent>),
    /// A span that a component of the cluster sent.
    Native(Box<NativeSpans>),
    /// A call to the container runtime.
    Cri(Box<CriCall>),
    /// A call to clew's admission webhook.
    Admission(Box<Admission>),
    /// A step of a traced command.
    Step(Box<CommandStep>),
}
