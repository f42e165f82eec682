//! The listener of the page, the query APIs and the webhooks.

use std::net::SocketAddr;

use anyhow::Context;
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::map_request;
use axum::serve::{Listener, ListenerExt};
use clew_instrument::Tracing;
use clew_instrument::http::ServerLayer;
use clew_server::{Access, App, ServeLimits, Users};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::kept::Kept;
use super::tls::{Peer, TlsListener};
use crate::commands::up::Settings;

async fn served<L>(listener: L, router: Router, until: impl Future<Output = ()>) -> anyhow::Result<()>
where
    L: Listener,
    L::Addr: Clone + Sync + 'static,
{
    clew_server::serve(listener, router, ServeLimits::default(), until).await;
    Ok(())
}

/// Small answers must not wait for the acknowledgement of the one before: a webhook's would take 30 ms longer.
fn at_once(stream: &mut TcpStream) {
    let _ = stream.set_nodelay(true);
}

/// Tells whoever asks for it that the listener has verified the client's certificate.
async fn name_client(mut request: Request) -> Request {
    let peer = request.extensions().get::<ConnectInfo<Peer>>();
    if let Some(client) = peer.and_then(|peer| peer.0.client.clone()) {
        request.extensions_mut().insert(client);
    }
    request
}

/// Listens, and serves until told to stop.
pub(super) async fn listen(
    settings: &Settings,
    kept: &Kept,
    (app, users, webhooks): (App, Option<Users>, Router),
    own: &Tracing,
    mut stopped: watch::Receiver<bool>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<SocketAddr> {
    let wanted = settings.http();
    let listener = TcpListener::bind(wanted).await;
    let listener = listener.with_context(|| format!("cannot listen on {wanted}: choose another with --http"))?;
    let address = listener.local_addr().context("cannot tell the address of the page")?;
    let access = Access {
        loopback: address.ip().is_loopback(),
        tls: kept.scheme() == "https",
        hosts: Vec::new(),
        token: kept.token.clone(),
        users,
    };
    let router = clew_server::router(app.access(access)).merge(webhooks);
    let router = router.layer(map_request(name_client)).layer(ServerLayer::new(own));
    let until = async move {
        let _ = stopped.wait_for(|stop| *stop).await;
    };
    let listener = listener.tap_io(at_once);
    match kept.tls(settings.callers()) {
        Some(tls) => {
            let acceptor = tls.acceptor().context("cannot serve the page over TLS")?;
            tasks.spawn(served(TlsListener::new(listener, acceptor), router, until));
        }
        None => drop(tasks.spawn(served(listener, router, until))),
    }
    Ok(address)
}
