//! A receiver, running.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::counters::Received;
use super::listen;
use super::service::Service;
use super::settings::Settings;
use super::sink::SpanSink;
use crate::CollectError;
use crate::tls::Tls;

/// Receives spans until it is shut down; dropped, it breaks all connections.
pub struct Receiver {
    service: Arc<Service>,
    grpc: Option<SocketAddr>,
    http: Option<SocketAddr>,
    close: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Receiver {
    /// Listens, and hands what comes to the sink. Refuses to listen for other machines in clear text, unless told to.
    pub async fn start(settings: &Settings, sink: Arc<dyn SpanSink>) -> Result<Self, CollectError> {
        let tls = settings.tls.as_ref().map(Tls::acceptor).transpose()?;
        let service = Service::new(sink, settings.limits, &settings.tokens);
        let room = Arc::new(Semaphore::new(settings.limits.connections));
        let (close, closed) = watch::channel(false);
        let mut receiver = Self { service, grpc: None, http: None, close, tasks: JoinSet::new() };
        for (address, is_grpc) in [(settings.grpc, true), (settings.http, false)] {
            let Some(address) = address else { continue };
            if !address.ip().is_loopback() && tls.is_none() && !settings.insecure {
                return Err(CollectError::ClearText { address });
            }
            let failed = |source| CollectError::Listen { address, source };
            let listener = TcpListener::bind(address).await.map_err(failed)?;
            let bound = listener.local_addr().map_err(failed)?;
            *(if is_grpc { &mut receiver.grpc } else { &mut receiver.http }) = Some(bound);
            let service = Arc::clone(&receiver.service);
            receiver.tasks.spawn(listen::serve(listener, tls.clone(), service, Arc::clone(&room), closed.clone()));
        }
        Ok(receiver)
    }

    /// Where OTLP/gRPC is taken.
    pub fn grpc(&self) -> Option<SocketAddr> {
        self.grpc
    }

    /// Where OTLP/HTTP is taken.
    pub fn http(&self) -> Option<SocketAddr> {
        self.http
    }

    /// What was counted so far.
    pub fn received(&self) -> Received {
        self.service.received()
    }

    /// What will have been counted, whenever it is asked: for whoever serves metrics.
    pub fn meter(&self) -> impl Fn() -> Received + Send + Sync + 'static {
        let service = Arc::clone(&self.service);
        move || service.received()
    }

    /// Takes no new connection, lets requests end for so long, then breaks what is left.
    pub async fn shut_down(mut self, within: Duration) -> Received {
        self.close.send_replace(true);
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(within, ended).await;
        self.tasks.shutdown().await;
        self.service.received()
    }
}
