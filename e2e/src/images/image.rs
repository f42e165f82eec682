//! The images that this project makes, and their names.

use std::path::{Path, PathBuf};

use super::{archive, binary};
use crate::{Error, Result, folders};

/// The sandbox of every pod.
pub const PAUSE: &str = "docker.io/clew/pause:1";
/// The test workload: sleeps, exits, prints, serves; see `e2e/workload`.
pub const WORKLOAD: &str = "docker.io/clew/workload:1";
/// clew itself.
pub const CLEW: &str = "docker.io/clew/clew:dev";

/// An image that this project can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Image {
    /// The sandbox of every pod.
    Pause,
    /// The test workload.
    Workload,
    /// clew itself, so that it can run as a pod.
    Clew,
}

impl Image {
    /// The name that a manifest uses.
    pub fn reference(self) -> &'static str {
        match self {
            Self::Pause => PAUSE,
            Self::Workload => WORKLOAD,
            Self::Clew => CLEW,
        }
    }

    /// Makes the image's archive in the cache folder, if its binary changed, and returns where it is.
    pub fn ensure(self, tell: &mut dyn FnMut(&str)) -> Result<PathBuf> {
        match self {
            Self::Pause | Self::Workload => self.pack(&binary::workload(tell)?, &[]),
            Self::Clew => {
                let binary = binary::stripped(&binary::clew(tell)?)?;
                let packed = binary::libraries(&binary).and_then(|libraries| self.pack(&binary, &libraries));
                std::fs::remove_file(&binary).map_err(Error::file("remove", &binary))?;
                packed
            }
        }
    }

    fn pack(self, binary: &Path, libraries: &[PathBuf]) -> Result<PathBuf> {
        let entrypoint = match self {
            Self::Pause => "pause",
            Self::Workload => "workload",
            Self::Clew => "clew",
        };
        archive::write(&folders::cache()?.join("images"), self.reference(), entrypoint, (binary, libraries))
    }
}

/// The images that every cluster with a node has.
pub(crate) fn ensure(tell: &mut dyn FnMut(&str)) -> Result<Vec<PathBuf>> {
    [Image::Pause, Image::Workload].into_iter().map(|image| image.ensure(tell)).collect()
}
