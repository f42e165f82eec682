//! Following the logs of the other replicas.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::agreement::Agreement;
use super::client::Client;
use super::follower::Follower;
use super::standing::Standing;
use crate::CollectError;
use crate::intake::Intake;
use crate::live::{SourceKind, Sources};

/// The other replicas, and what this one does with what they have.
#[derive(Clone)]
pub struct Peers {
    /// Where they are; this replica's own address may be among them.
    pub urls: Vec<String>,
    /// The authorities that sign their certificates, in PEM; none for those of the system.
    pub authorities: Option<PathBuf>,
    /// The token that they want.
    pub token: Option<String>,
    /// What this replica says of itself.
    pub agreement: Agreement,
    /// Where places are kept.
    pub folder: PathBuf,
    /// Where facts go.
    pub intake: Intake,
    /// Where each peer is shown.
    pub sources: Sources,
    /// What is called with what others delivered.
    pub delivered: Arc<dyn Fn(Bytes) + Send + Sync>,
}

/// Follows each until `stop` becomes true.
pub fn follow(peers: &Peers, standing: &Standing, stop: &watch::Receiver<bool>) -> Result<JoinSet<()>, CollectError> {
    let mut tasks = JoinSet::new();
    for url in &peers.urls {
        let client = Client::new(url, peers.authorities.as_deref(), peers.token.clone())?;
        let follower = Follower {
            url: url.clone(),
            client,
            source: peers.sources.of(&peers.agreement.cluster, SourceKind::Replica, url),
            peers: peers.clone(),
            standing: standing.clone(),
        };
        let mut stop = stop.clone();
        tasks.spawn(async move {
            tokio::select! {
                () = follower.run() => {}
                _ = stop.wait_for(|stop| *stop) => {}
            }
        });
    }
    Ok(tasks)
}
