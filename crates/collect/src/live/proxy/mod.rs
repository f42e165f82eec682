//! A way to the API server for one command, on this machine only, that puts a trace around what the command asks for.

mod forward;
mod write;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::serve::ListenerExt;
use clew_model::{SpanId, TraceId};
use kube::Client;
use tokio::net::TcpListener;

pub use write::ProxiedWrite;

use crate::http::at_once;

/// How many writes of one command are remembered; further ones pass, and are not followed.
const MOST_WRITES: usize = 10_000;

/// A proxy that runs until it is dropped.
pub struct Proxy {
    address: SocketAddr,
    writes: Arc<Mutex<Vec<ProxiedWrite>>>,
    serving: tokio::task::JoinHandle<()>,
}

/// What every request goes through.
#[derive(Clone)]
struct Way {
    client: Client,
    trace: TraceId,
    span: SpanId,
    writes: Arc<Mutex<Vec<ProxiedWrite>>>,
}

impl Proxy {
    /// Starts a proxy to a cluster; requests belong to this trace and hang on this span.
    pub async fn start(client: Client, trace: TraceId, span: SpanId) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let writes = Arc::default();
        let way = Way { client, trace, span, writes: Arc::clone(&writes) };
        let router = Router::new().fallback(forward::forward).with_state(way);
        let serving = tokio::spawn(async move {
            // It ends with the command; what goes wrong before that, the command tells.
            let _ = axum::serve(listener.tap_io(at_once), router).await;
        });
        Ok(Self { address, writes, serving })
    }

    /// Where the command finds the API server.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What was written through it.
    pub fn writes(&self) -> Vec<ProxiedWrite> {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Way {
    fn remember(&self, write: ProxiedWrite) {
        let mut writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        if writes.len() < MOST_WRITES {
            writes.push(write);
        }
    }
}
