//! The components of a cluster: for each, its program, its flags, its files and how it shows that it is ready.

mod api_server;
mod containerd;
mod control;
mod etcd;
mod kubelet;
mod kwok;
mod proxy;

use std::path::PathBuf;

pub(crate) use api_server::api_server;
pub(crate) use containerd::containerd;
pub(crate) use control::{controller_manager, scheduler};
pub(crate) use etcd::etcd;
pub(crate) use kubelet::kubelet;
pub(crate) use kwok::kwok;
pub(crate) use proxy::proxy;

use super::probe::Probe;

/// A program of the cluster, ready to be started.
#[derive(Debug)]
pub(crate) struct Component {
    /// Its name in the status, and of its log.
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) probe: Probe,
}

/// The arguments `--name=value` for flags whose values are paths or text.
macro_rules! flags {
    ($($name:literal: $value:expr),* $(,)?) => {
        vec![$(format!("--{}={}", $name, $crate::node::components::Shown::shown(&$value))),*]
    };
}
pub(crate) use flags;

/// Text and paths as a flag's value.
pub(crate) trait Shown {
    fn shown(&self) -> String;
}

impl Shown for PathBuf {
    fn shown(&self) -> String {
        self.display().to_string()
    }
}

impl Shown for &str {
    fn shown(&self) -> String {
        (*self).to_owned()
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        self.clone()
    }
}
