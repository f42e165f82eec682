//! What one cluster needs, and what all tests need, made present.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::golang::GoBuild;
use super::packages;
use crate::cluster::{Options, Version};
use crate::{Result, images};

/// The programs and images of one cluster, all present.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tools {
    kubernetes: PathBuf,
    kwok: Option<PathBuf>,
    images: Vec<PathBuf>,
}

impl Tools {
    /// Builds what is missing for a cluster, saying what and why.
    pub fn ensure(options: &Options, tell: &mut dyn FnMut(&str)) -> Result<Self> {
        packages::check()?;
        let kubernetes = GoBuild::kubernetes(options.kubernetes).ensure(tell)?;
        let kwok = if options.kwok > 0 { Some(GoBuild::kwok().ensure(tell)?) } else { None };
        let images = if options.control_plane_only { Vec::new() } else { images::ensure(tell)? };
        Ok(Self { kubernetes, kwok, images })
    }

    /// The folder of kubectl, kube-apiserver and the others.
    pub fn kubernetes(&self) -> &Path {
        &self.kubernetes
    }

    /// The folder of kwok and its stages, when simulated nodes were asked for.
    pub(crate) fn kwok(&self) -> Option<&Path> {
        self.kwok.as_deref()
    }

    pub(crate) fn images(&self) -> &[PathBuf] {
        &self.images
    }

    /// A search path with the cluster's own programs first and the system's in any case.
    pub(crate) fn path(&self) -> OsString {
        let mut path = self.kubernetes.clone().into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        path.push(":/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin");
        path
    }
}

/// The folder of one version's kubectl and its siblings; built first if it is missing.
pub(crate) fn kubernetes(version: Version, tell: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    GoBuild::kubernetes(version).ensure(tell)
}

/// The folder of helm; built first if it is missing.
pub fn helm(tell: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    GoBuild::helm().ensure(tell)
}

/// Does all the set-up that the tests need: packages, both versions of Kubernetes, kwok, images.
pub fn set_up(tell: &mut dyn FnMut(&str)) -> Result<()> {
    packages::install(tell)?;
    for version in Version::ALL {
        GoBuild::kubernetes(version).ensure(tell)?;
    }
    GoBuild::kwok().ensure(tell)?;
    images::ensure(tell).map(drop)
}
