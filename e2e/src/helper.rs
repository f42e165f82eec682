//! The roles that the harness's own program plays in the background: keeper, init, starter.

use std::path::Path;

use crate::folders::RunDir;
use crate::{Result, cluster, node};

/// The first argument that makes the program a helper.
pub(crate) const HELPER: &str = "cluster-helper";

/// What a helper process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Outside the namespaces: owns the relay, ends the cluster, removes its cgroups.
    Keep,
    /// Process 1 inside: reaps what others leave, and leaves when the keeper is gone.
    Init,
    /// Inside: starts the components and writes the status.
    Start,
}

impl Role {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Init => "init",
            Self::Start => "start",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        [Self::Keep, Self::Init, Self::Start].into_iter().find(|role| role.word() == word)
    }
}

/// Plays the role that the arguments ask for; `None` when they ask for none, so `main` goes on.
///
/// Every program that starts a [`crate::Cluster`] calls this first in `main`.
pub fn dispatch() -> Option<Result<()>> {
    let arguments: Vec<String> = std::env::args().skip(1).take(4).collect();
    let [first, role, run] = arguments.as_slice() else {
        return None;
    };
    if first != HELPER {
        return None;
    }
    let role = Role::from_word(role)?;
    let run = RunDir::at(Path::new(run));
    Some(match role {
        Role::Keep => cluster::keep(&run),
        Role::Init => node::init(&run),
        Role::Start => node::start(&run),
    })
}
