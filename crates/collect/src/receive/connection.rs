//! One connection, from its handshake to its end.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;

use super::service::Service;
use super::stall::Stalling;

/// How long a connection that was asked to end may take to.
const FAREWELL: Duration = Duration::from_secs(5);
/// Windows of HTTP/2: how much a client may send before it is read.
const STREAM_WINDOW: u32 = 1024 * 1024;
const CONNECTION_WINDOW: u32 = 2 * 1024 * 1024;
const MAX_HEADER_BYTES: u32 = 16 * 1024;

/// What goes on at a connection: how many requests, and that one began or ended.
#[derive(Debug, Default)]
struct Activity {
    requests: AtomicUsize,
    seen: AtomicUsize,
    changed: Notify,
}

/// One request, while it goes on.
struct Busy(Arc<Activity>);

impl Busy {
    fn new(activity: &Arc<Activity>) -> Self {
        activity.requests.fetch_add(1, Ordering::Relaxed);
        activity.seen.fetch_add(1, Ordering::Relaxed);
        activity.changed.notify_one();
        Self(Arc::clone(activity))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
        self.0.changed.notify_one();
    }
}

/// Serves a connection until it ends, does nothing for too long, or the receiver closes.
pub(super) async fn serve(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    service: Arc<Service>,
    close: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let Some(tls) = tls else {
        return talk(stream, service, close).await;
    };
    match timeout(service.limits.head_time, tls.accept(stream)).await {
        Ok(Ok(stream)) => talk(stream, service, close).await,
        Ok(Err(_)) => service.counters.handshake_failed(),
        Err(_) => service.counters.connection_slow(),
    }
}

async fn talk<S>(stream: S, service: Arc<Service>, mut close: watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let activity = Arc::new(Activity::default());
    let builder = builder(&service);
    let stream = TokioIo::new(Box::pin(Stalling::new(stream, service.limits.write_time)));
    let answer = {
        let (service, activity) = (Arc::clone(&service), Arc::clone(&activity));
        service_fn(move |request| {
            let (service, busy) = (Arc::clone(&service), Busy::new(&activity));
            async move {
                let answer = service.answer(request).await;
                drop(busy);
                Ok::<_, Infallible>(answer)
            }
        })
    };
    let mut connection = pin!(builder.serve_connection(stream, answer));
    let slow = tokio::select! {
        // What breaks a connection is the client's affair: it was not acknowledged.
        _ = connection.as_mut() => return,
        () = idle(&activity, &service) => true,
        _ = close.wait_for(|close| *close) => false,
    };
    if slow {
        service.counters.connection_slow();
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout_at(Instant::now() + FAREWELL, connection).await;
}

/// Returns when nothing went on for too long.
async fn idle(activity: &Activity, service: &Service) {
    loop {
        let first = activity.seen.load(Ordering::Relaxed) == 0;
        let limit = if first { service.limits.head_time } else { service.limits.idle_time };
        tokio::select! {
            () = sleep_until(Instant::now() + limit) => {
                if activity.requests.load(Ordering::Relaxed) == 0 {
                    return;
                }
            }
            () = activity.changed.notified() => {}
        }
    }
}

fn builder(service: &Service) -> Builder<TokioExecutor> {
    let limits = &service.limits;
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.head_time).keep_alive(true);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(MAX_HEADER_BYTES)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .keep_alive_interval(Some(limits.idle_time.min(Duration::from_mins(1))))
        .keep_alive_timeout(limits.head_time);
    builder
}
