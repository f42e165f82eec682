//! A real Kubernetes cluster in one command, for tests and for people.
//!
//! What lives here: the harness that starts etcd, the control plane, containerd, a kubelet and kube-proxy in one
//! set of namespaces ([`Cluster`]), what it needs built ([`tools`], [`images`]), and its command line ([`cli`]).
//! What must not: anything of clew's own product; the harness knows Kubernetes, not journeys.
//!
//! Three processes share the work, each the same program started with another role (see [`helper`]):
//! the *keeper* outside the namespaces owns the relay and removes the cgroups, *init* is process 1 inside and
//! reaps, the *starter* starts the components and writes the status. Whoever of them dies, the kernel ends the rest.

pub mod cli;
pub mod cluster;
mod error;
pub mod folders;
pub mod helper;
pub mod images;
mod node;
pub mod record;
mod shell;
pub mod tools;

pub use cluster::{Cluster, Identity, Name, Options, Status, Version};
pub use error::{Error, Result};
