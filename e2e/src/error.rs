//! What can go wrong with the test cluster, and what to do about it.

use std::path::{Path, PathBuf};

/// A failure of the harness, with what to do where there is something to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried, as a verb.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A file of the harness holds something else than the harness writes.
    #[error("cannot understand {}: {source}; `cargo xtask cluster down` removes it", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Why it cannot be read.
        source: serde_json::Error,
    },
    /// A program could not be started.
    #[error("cannot start {program}: {source}; `cargo xtask setup` installs what is missing")]
    Start {
        /// The program's name.
        program: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A program ran and failed.
    #[error("{program} failed ({status}): {output}")]
    Failed {
        /// The program and its first arguments.
        program: String,
        /// Its exit status.
        status: String,
        /// The end of what it printed.
        output: String,
    },
    /// The machine or the caller lacks something that the cluster needs.
    #[error("{0}")]
    Unfit(String),
    /// A cluster of this name is up already.
    #[error("cluster {0} is already up: use it, or `cargo xtask cluster down --name {0}` first")]
    AlreadyUp(String),
    /// No cluster of this name is up.
    #[error("cluster {0} is not up: `cargo xtask cluster up --name {0}` starts it")]
    NotUp(String),
    /// The cluster did not come up.
    #[error("cluster {name} did not come up: {reason}; its logs are in {}", logs.display())]
    NotReady {
        /// Which cluster.
        name: String,
        /// What failed, with the end of its log.
        reason: String,
        /// Where to read on.
        logs: PathBuf,
    },
    /// Something of a cluster would not go away.
    #[error("cluster {name} left {left} behind")]
    LeftBehind {
        /// Which cluster.
        name: String,
        /// What is still there.
        left: String,
    },
}

/// The result of everything here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Names the file and the deed for an I/O error, for use with `map_err`.
    pub(crate) fn file(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self::File { action, path, source }
    }
}
