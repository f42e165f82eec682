//! The addresses inside a cluster, the same in each since each has a network of its own.

/// The node, and what the API server advertises: loopback would leave the `kubernetes` Service without endpoints.
pub(crate) const NODE: &str = "192.168.77.1";
/// The node with its network's size.
pub(crate) const NODE_NETWORK: &str = "192.168.77.1/24";
/// Services.
pub(crate) const SERVICES: &str = "10.96.0.0/16";
/// The Service of the API server: the first of them.
pub(crate) const API_SERVICE: &str = "10.96.0.1";
/// Pods.
pub(crate) const PODS: &str = "10.244.0.0/16";
/// etcd's ports for clients and for peers.
pub(crate) const ETCD: (u16, u16) = (2379, 2380);
/// kwok's port for its health.
pub(crate) const KWOK: u16 = 10_247;
