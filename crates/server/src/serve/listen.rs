//! From the listener to its connections.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::serve::Listener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::connection::talk;
use super::limits::ServeLimits;

/// Serves until told to stop; then waits a little for requests that go on, and ends streams that never would.
///
/// Each request knows who is at the other end: `ConnectInfo` of the listener's address.
pub async fn serve<L>(mut listener: L, router: Router, limits: ServeLimits, stopped: impl Future)
where
    L: Listener,
    L::Addr: Clone + Send + Sync + 'static,
{
    let room = Arc::new(Semaphore::new(limits.connections));
    let (end, ended) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut stopped = pin!(stopped);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stopped => break,
        };
        while connections.try_join_next().is_some() {}
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else { continue };
        let (router, ended, peer) = (router.clone(), ended.clone(), ConnectInfo(peer));
        connections.spawn(async move {
            talk((stream, peer), router, limits, ended).await;
            drop(place);
        });
    }
    drop(listener);
    end.send_replace(true);
    let all = async { while connections.join_next().await.is_some() {} };
    if timeout(limits.farewell, all).await.is_err() {
        connections.shutdown().await;
    }
}
