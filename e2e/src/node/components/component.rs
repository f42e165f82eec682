//! What all components have in common.

use std::path::PathBuf;

use crate::node::probe::Probe;

/// A program of the cluster, ready to be started.
#[derive(Debug)]
pub(crate) struct Component {
    /// Its name in the status, and of its log.
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) probe: Probe,
}
