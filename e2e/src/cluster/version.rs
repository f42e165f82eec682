//! The Kubernetes versions that the cluster can run: those with `go.mod` and `go.sum` beside this crate.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A version of Kubernetes that is pinned here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Version {
    /// The default.
    #[default]
    #[value(name = "v1.34.4")]
    #[serde(rename = "v1.34.4")]
    V1_34_4,
    /// The newest.
    #[value(name = "v1.36.1")]
    #[serde(rename = "v1.36.1")]
    V1_36_1,
}

impl Version {
    /// All of them, for set-up and for test matrices.
    pub const ALL: [Self; 2] = [Self::V1_34_4, Self::V1_36_1];
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V1_34_4 => "v1.34.4",
            Self::V1_36_1 => "v1.36.1",
        })
    }
}
