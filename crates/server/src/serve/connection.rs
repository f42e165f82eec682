//! One connection.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::sleep;
use tower::ServiceExt;

use super::limits::ServeLimits;

/// How many requests one HTTP/2 connection may have going on.
const STREAMS: u32 = 128;
const MAX_HEADER_BYTES: u32 = 16 * 1024;

/// Serves a connection until it ends, begins no request for too long, or everything is to end.
pub(super) async fn talk<S, A>(
    (stream, peer): (S, ConnectInfo<A>),
    router: Router,
    limits: ServeLimits,
    mut ended: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    A: Clone + Send + Sync + 'static,
{
    let asked = Arc::new(AtomicBool::new(false));
    let answer = {
        let asked = Arc::clone(&asked);
        service_fn(move |request: Request<Incoming>| {
            asked.store(true, Ordering::Relaxed);
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(peer.clone());
            router.clone().oneshot(request)
        })
    };
    let builder = builder(limits);
    let mut connection = pin!(builder.serve_connection_with_upgrades(TokioIo::new(stream), answer));
    tokio::select! {
        // What breaks a connection is the client's affair.
        _ = connection.as_mut() => return,
        () = silent(&asked, limits.head_time) => return,
        _ = ended.wait_for(|ended| *ended) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// Returns if no request began in time: until then nobody can tell which protocol is spoken, and no other limit holds.
async fn silent(asked: &AtomicBool, head_time: Duration) {
    sleep(head_time).await;
    if asked.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
}

fn builder(limits: ServeLimits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.head_time);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(MAX_HEADER_BYTES)
        .keep_alive_interval(Some(limits.head_time))
        .keep_alive_timeout(limits.head_time);
    builder
}
