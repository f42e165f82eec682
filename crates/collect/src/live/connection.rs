//! The clusters that are watched, from kubeconfigs, contexts or the pod's own account.

use std::path::Path;

use compact_str::CompactString;
use kube::Client;

use crate::CollectError;
use crate::watch;

/// What a cluster is called that nobody named.
const UNNAMED: &str = "default";

/// A way to a cluster.
#[derive(Clone)]
pub struct Connection {
    /// The cluster's name, which every id depends on: the context's, unless the caller says otherwise.
    pub cluster: CompactString,
    /// The client.
    pub client: Client,
}

/// Finds a cluster: by a context of a kubeconfig, of the usual one, or from inside a pod.
///
/// Says nothing of whether the cluster answers.
pub async fn connect(kubeconfig: Option<&Path>, context: Option<&str>) -> Result<Connection, CollectError> {
    let (name, client) = watch::connect(kubeconfig, context).await?;
    Ok(Connection { cluster: name.as_deref().unwrap_or(UNNAMED).into(), client })
}
