//! What can be set.

use serde::{Deserialize, Serialize};

const SECOND: i64 = 1_000_000_000;

/// The weaver's settings; times are in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// The cluster's name, which every id depends on.
    pub cluster: String,
    /// How long nothing may move in an open journey before it is stuck.
    pub stuck_after: i64,
    /// How long a converged journey stays in memory, so that late facts still find it.
    pub keep_converged: i64,
    /// How long a native trace waits for the fact that places it.
    pub keep_segments: i64,
    /// How many facts are taken before causes are looked for, if nobody asks earlier.
    pub batch: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            cluster: "default".into(),
            stuck_after: 120 * SECOND,
            keep_converged: 300 * SECOND,
            keep_segments: 120 * SECOND,
            batch: 4096,
        }
    }
}
