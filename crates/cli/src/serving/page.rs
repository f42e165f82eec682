//! The listener of the page and the query APIs.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context;
use clew_collect::weaving::WeavingCounts;
use clew_server::App;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::commands::up::Settings;

/// Listens, and serves until told to stop.
pub(super) async fn listen(
    settings: &Settings,
    app: App,
    counts: WeavingCounts,
    mut stopped: watch::Receiver<bool>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<SocketAddr> {
    let wanted = settings.http();
    let listener = TcpListener::bind(wanted).await;
    let listener = listener.with_context(|| format!("cannot listen on {wanted}: choose another with --http"))?;
    let address = listener.local_addr().context("cannot tell the address of the page")?;
    let router = clew_server::router(app);
    tasks.spawn(async move {
        let until = async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        };
        axum::serve(listener, router).with_graceful_shutdown(until).await.context("the page's listener failed")
    });
    Ok(address)
}
