//! The sink as a test holds it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::TraceServiceServer;
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::sync::oneshot;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::Code;
use tonic::codec::CompressionEncoding;
use tonic::transport::Server;

use super::kept::{Kept, Received};
use super::service::Service;

/// The largest request that the sink takes: the API server sends up to 512 spans at once.
const MAX_REQUEST: usize = 64 * 1024 * 1024;

/// An OTLP/gRPC server on a thread of its own, so that it answers whatever the test's runtime does.
///
/// Ends when dropped.
#[derive(Debug)]
pub struct Sink {
    address: SocketAddr,
    kept: Arc<Kept>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Sink {
    /// Starts on a free port of loopback.
    pub fn start() -> io::Result<Self> {
        Self::listen((Ipv4Addr::LOCALHOST, 0).into())
    }

    /// Starts at this address.
    pub fn listen(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let kept = Arc::new(Kept::default());
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&kept);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new()
            .name("otlp-sink".to_owned())
            .spawn(move || runtime.block_on(serve(listener, served, stopped)))?;
        Ok(Self { address, kept, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens, as an exporter is told: `http://127.0.0.1:PORT`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything received so far, in order.
    pub fn received(&self) -> Vec<Received> {
        self.kept.lock().received.clone()
    }

    /// The spans of everything received so far.
    pub fn spans(&self) -> Vec<Span> {
        let state = self.kept.lock();
        state.received.iter().flat_map(spans_of).cloned().collect()
    }

    /// How many connections were ever accepted.
    pub fn connections(&self) -> usize {
        self.kept.lock().connections
    }

    /// How many requests were refused, see [`Sink::refuse`].
    pub fn refused(&self) -> usize {
        self.kept.lock().refused
    }

    /// Refuses every request with this code from now on; `None` takes them again.
    pub fn refuse(&self, code: Option<Code>) {
        self.kept.change(|state| state.refusal = code);
    }

    /// Blocks until this many spans have arrived; tells whether they have.
    pub fn wait_for_spans(&self, count: usize, timeout: Duration) -> bool {
        self.kept.wait(timeout, |state| state.received.iter().flat_map(spans_of).count() >= count)
    }
}

fn spans_of(received: &Received) -> impl Iterator<Item = &Span> {
    let resources = received.request.resource_spans.iter();
    resources.flat_map(|resource| &resource.scope_spans).flat_map(|scope| &scope.spans)
}

async fn serve(listener: TcpListener, kept: Arc<Kept>, stopped: oneshot::Receiver<()>) {
    let listener = tokio::net::TcpListener::from_std(listener).expect("a listener that does not block");
    let counted = Arc::clone(&kept);
    let connections = TcpListenerStream::new(listener).map(move |connection| {
        counted.change(|state| state.connections += 1);
        connection
    });
    let service = TraceServiceServer::new(Service { kept })
        .accept_compressed(CompressionEncoding::Gzip)
        .max_decoding_message_size(MAX_REQUEST);
    let server = Server::builder().add_service(service).serve_with_incoming(connections);
    // Not a graceful end: that would wait for clients who keep their connections.
    tokio::select! {
        end = server => end.expect("the sink serves until it is dropped"),
        _ = stopped => {}
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
