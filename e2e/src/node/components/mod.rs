//! The components of a cluster: for each, its program, its flags, its files and how it shows that it is ready.

mod api_server;
mod component;
mod containerd;
mod control;
mod etcd;
mod flags;
mod kubelet;
mod kwok;
mod proxy;

pub(crate) use api_server::api_server;
pub(crate) use component::Component;
pub(crate) use containerd::containerd;
pub(crate) use control::{controller_manager, scheduler};
pub(crate) use etcd::etcd;
pub(crate) use kubelet::kubelet;
pub(crate) use kwok::kwok;
pub(crate) use proxy::proxy;
