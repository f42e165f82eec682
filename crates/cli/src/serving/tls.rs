//! A listener that speaks TLS. Handshakes run beside each other: a slow client keeps nobody out.

use std::net::SocketAddr;
use std::time::Duration;

use axum::serve::Listener;
use clew_collect::tls::{VerifiedClient, client_of};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// How many handshakes run at once; further clients wait in the kernel.
const HANDSHAKES: usize = 128;
/// How long a handshake may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Who is at the other end.
#[derive(Debug, Clone)]
pub(super) struct Peer {
    /// Who it says it is, with a certificate to show for it.
    pub(super) client: Option<VerifiedClient>,
}

/// Connections whose handshake is done.
pub(super) struct TlsListener {
    ready: mpsc::Receiver<(TlsStream<TcpStream>, Peer)>,
}

impl TlsListener {
    /// Takes connections of a plain listener.
    pub(super) fn new<L>(listener: L, acceptor: TlsAcceptor) -> Self
    where
        L: Listener<Io = TcpStream, Addr = SocketAddr>,
    {
        let (sender, ready) = mpsc::channel(HANDSHAKES);
        tokio::spawn(accept(listener, acceptor, sender));
        Self { ready }
    }
}

async fn accept<L>(mut listener: L, acceptor: TlsAcceptor, ready: mpsc::Sender<(TlsStream<TcpStream>, Peer)>)
where
    L: Listener<Io = TcpStream, Addr = SocketAddr>,
{
    let mut handshakes = JoinSet::new();
    loop {
        while handshakes.len() >= HANDSHAKES {
            handshakes.join_next().await;
        }
        // axum's own way to accept: an error of one connection is waited out.
        let (stream, _) = tokio::select! {
            accepted = listener.accept() => accepted,
            () = ready.closed() => return,
        };
        let (acceptor, ready) = (acceptor.clone(), ready.clone());
        handshakes.spawn(async move {
            if let Ok(Ok(stream)) = tokio::time::timeout(PATIENCE, acceptor.accept(stream)).await {
                let peer = Peer { client: client_of(&stream) };
                let _ = ready.send((stream, peer)).await;
            }
        });
        while handshakes.try_join_next().is_some() {}
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = Peer;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            // The task that accepts ends only with this listener.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> std::io::Result<Peer> {
        Ok(Peer { client: None })
    }
}
