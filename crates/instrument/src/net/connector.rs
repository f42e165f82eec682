//! The connector that gRPC and HTTP clients share: one collector, whatever URI a request has.

use super::dialer::Dialer;
use super::stream::Stream;
use super::tls;
use crate::config::Endpoint;
use http::Uri;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// How long opening a connection may take, proxy and TLS included.
const LIMIT: Duration = Duration::from_secs(10);

/// Connects to one collector.
#[derive(Clone)]
pub(crate) struct Connector {
    pub(crate) dialer: Dialer,
    pub(crate) to: Endpoint,
    pub(crate) tls: Option<Arc<ClientConfig>>,
}

impl Connector {
    async fn open(self) -> io::Result<TokioIo<Stream>> {
        let mut stream = self.dialer.dial(&self.to).await?;
        if let Some(config) = self.tls {
            stream = tls::wrap(stream, config, self.to.host()).await?;
        }
        Ok(TokioIo::new(stream))
    }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<Stream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let connector = self.clone();
        Box::pin(async move {
            let opened = tokio::time::timeout(LIMIT, connector.open()).await;
            opened.unwrap_or_else(|_| {
                Err(io::Error::new(io::ErrorKind::TimedOut, format!("no connection within {LIMIT:?}")))
            })
        })
    }
}
