//! Accepting connections, not more than allowed.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use super::connection;
use super::service::Service;

/// How long to wait for file descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves connections until `close` becomes true, then lets the open ones end what they began.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    service: Arc<Service>,
    room: Arc<Semaphore>,
    mut close: watch::Receiver<bool>,
) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            _ = close.wait_for(|close| *close) => break,
        };
        let Ok((stream, _)) = accepted else {
            service.counters.accept_failed();
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Closed rather than left to wait: a client that is told at once goes elsewhere or comes back.
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
            service.counters.connection_refused();
            continue;
        };
        service.counters.connection();
        let (tls, service, close) = (tls.clone(), Arc::clone(&service), close.clone());
        connections.spawn(async move {
            connection::serve(stream, tls, service, close).await;
            drop(place);
        });
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}
