//! What can go wrong in a store, in words that say what to do.

use std::time::Duration;

/// A store's error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no room now; the same call may succeed later.
    #[error("the store is full: {what}; try again in {} s", retry_after.as_secs())]
    Full {
        /// The queue, the memory or the disk.
        what: String,
        /// When to come back.
        retry_after: Duration,
    },
    /// The question cannot be answered as it is.
    #[error("bad query: {0}")]
    Query(String),
    /// What a client sent is no OTLP trace request.
    #[error("this is no OTLP trace request: {0}")]
    Request(String),
    /// The answer would be larger, or take longer, than was allowed.
    #[error("the query went over its limit of {0}: ask for less, or raise the limit")]
    Limit(String),
    /// A file is not what was written.
    #[error("{file} is damaged: {reason}; run `clew store verify` to see what is affected")]
    Damaged {
        /// Which.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The disk or the object store refused.
    #[error("cannot {doing} {what}: {reason}")]
    Io {
        /// `read`, `write`, `sync`.
        doing: &'static str,
        /// The file or table.
        what: String,
        /// What it said.
        reason: String,
    },
    /// Who asks may not.
    #[error("{0}")]
    Denied(&'static str),
    /// The store is being closed.
    #[error("the store is closed")]
    Closed,
}

/// What a store's calls give.
pub type Result<T> = std::result::Result<T, StoreError>;
