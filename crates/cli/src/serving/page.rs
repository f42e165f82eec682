//! The listener of the page, the query APIs and the webhooks.

use std::net::SocketAddr;

use anyhow::Context;
use axum::Router;
use axum::serve::Listener;
use clew_collect::receive::{Tls, tls_acceptor};
use clew_instrument::Tracing;
use clew_instrument::http::ServerLayer;
use clew_server::{Access, App, ServeLimits};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::tls::TlsListener;
use crate::commands::up::Settings;

async fn served<L: Listener>(listener: L, router: Router, until: impl Future<Output = ()>) -> anyhow::Result<()> {
    clew_server::serve(listener, router, ServeLimits::default(), until).await;
    Ok(())
}

/// Listens, and serves until told to stop.
pub(super) async fn listen(
    settings: &Settings,
    app: App,
    webhooks: Router,
    own: &Tracing,
    mut stopped: watch::Receiver<bool>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<SocketAddr> {
    let wanted = settings.http();
    let listener = TcpListener::bind(wanted).await;
    let listener = listener.with_context(|| format!("cannot listen on {wanted}: choose another with --http"))?;
    let address = listener.local_addr().context("cannot tell the address of the page")?;
    let access = Access { loopback: address.ip().is_loopback(), hosts: Vec::new(), token: settings.token()? };
    let router = clew_server::router(app.access(access)).merge(webhooks).layer(ServerLayer::new(own));
    let until = async move {
        let _ = stopped.wait_for(|stop| *stop).await;
    };
    // Browsers have no client certificates: they bring the token.
    let tls = settings.tls().map(|tls| Tls { client_authorities: None, ..tls });
    match tls {
        Some(tls) => {
            let acceptor = tls_acceptor(&tls).context("cannot serve the page over TLS")?;
            let listener = TlsListener::new(listener, acceptor).context("cannot serve the page over TLS")?;
            tasks.spawn(served(listener, router, until));
        }
        None => drop(tasks.spawn(served(listener, router, until))),
    }
    Ok(address)
}
