//! The listener of the page and the query APIs.

use std::net::SocketAddr;

use anyhow::Context;
use clew_server::{Access, App};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::commands::up::Settings;

/// Listens, and serves until told to stop.
pub(super) async fn listen(
    settings: &Settings,
    app: App,
    mut stopped: watch::Receiver<bool>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<SocketAddr> {
    let wanted = settings.http();
    let listener = TcpListener::bind(wanted).await;
    let listener = listener.with_context(|| format!("cannot listen on {wanted}: choose another with --http"))?;
    let address = listener.local_addr().context("cannot tell the address of the page")?;
    let access = Access { loopback: address.ip().is_loopback(), hosts: Vec::new(), token: settings.token()? };
    let router = clew_server::router(app.access(access));
    tasks.spawn(async move {
        let until = async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        };
        axum::serve(listener, router).with_graceful_shutdown(until).await.context("the page's listener failed")
    });
    Ok(address)
}
