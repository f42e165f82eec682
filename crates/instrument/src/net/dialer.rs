//! The way out: direct, or through the proxy that the egress selector names.

use super::connect_tunnel;
use super::stream::Stream;
use super::tls::{self, TlsFiles};
use crate::config::{EgressSelectorConfiguration, Endpoint, ProxyProtocol, TcpTransport};
use crate::error::Error;
use rustls::ClientConfig;
use std::io;
use std::sync::Arc;
use tokio::net::{TcpStream, UnixStream};

/// How connections are made.
#[derive(Clone, Default)]
pub(crate) struct Dialer {
    proxy: Option<Proxy>,
}

#[derive(Clone)]
struct Proxy {
    at: Endpoint,
    tls: Option<Arc<ClientConfig>>,
}

impl Dialer {
    /// The way out for a network context (`controlplane` or `cluster`) that an administrator chose.
    pub(crate) fn from_egress(egress: &EgressSelectorConfiguration, context: &str) -> Result<Self, Error> {
        let Some(selection) = egress.selection(context) else {
            tracing::info!(target: "clew_instrument", context, "no egress selection for this network context: dialling directly");
            return Ok(Self::default());
        };
        let unusable = |reason: String| Error::Exporter { name: format!("egress {context}"), reason };
        match (&selection.protocol, &selection.transport) {
            (ProxyProtocol::Direct, _) => Ok(Self::default()),
            (ProxyProtocol::HttpConnect, Some(transport)) => {
                let proxy = match (&transport.uds, &transport.tcp) {
                    (Some(path), _) => Proxy { at: Endpoint::Unix(path.clone()), tls: None },
                    (None, Some(tcp)) => tcp_proxy(tcp).map_err(unusable)?,
                    (None, None) => return Err(unusable("the transport has neither tcp nor uds".to_owned())),
                };
                Ok(Self { proxy: Some(proxy) })
            }
            (protocol, _) => {
                Err(unusable(format!("proxyProtocol {protocol:?} cannot carry spans: use Direct or HTTPConnect")))
            }
        }
    }

    /// Connects to an address.
    pub(crate) async fn dial(&self, to: &Endpoint) -> io::Result<Stream> {
        let Some(proxy) = &self.proxy else { return dial_directly(to).await };
        // A unix socket is on this machine: no proxy stands between.
        if !matches!(to, Endpoint::Tcp { .. }) {
            return dial_directly(to).await;
        }
        let mut stream = dial_directly(&proxy.at).await?;
        if let Some(config) = &proxy.tls {
            stream = tls::wrap(stream, Arc::clone(config), proxy.at.host()).await?;
        }
        connect_tunnel::open(stream, &to.to_string()).await
    }
}

fn tcp_proxy(tcp: &TcpTransport) -> Result<Proxy, String> {
    let (secure, authority) = match tcp.url.split_once("://") {
        Some(("http", rest)) => (false, rest),
        Some(("https", rest)) => (true, rest),
        _ => return Err(format!("the proxy's url {:?} must begin with http:// or https://", tcp.url)),
    };
    let at = Endpoint::authority(authority, if secure { 443 } else { 80 })?;
    if !secure {
        return Ok(Proxy { at, tls: None });
    }
    let files = tcp.tls.as_ref().map(TlsFiles::of_proxy).unwrap_or_default();
    Ok(Proxy { at, tls: Some(tls::client_config(&files, b"http/1.1")?) })
}

async fn dial_directly(to: &Endpoint) -> io::Result<Stream> {
    match to {
        Endpoint::Tcp { host, port } => {
            let stream = TcpStream::connect((host.as_str(), *port)).await?;
            stream.set_nodelay(true)?;
            Ok(Stream::new(stream))
        }
        Endpoint::Unix(path) => Ok(Stream::new(UnixStream::connect(path).await?)),
        Endpoint::UnixAbstract(name) => Ok(Stream::new(dial_abstract(name)?)),
    }
}

#[cfg(target_os = "linux")]
fn dial_abstract(name: &str) -> io::Result<UnixStream> {
    use std::os::linux::net::SocketAddrExt as _;
    let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
    let stream = std::os::unix::net::UnixStream::connect_addr(&address)?;
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

#[cfg(not(target_os = "linux"))]
fn dial_abstract(name: &str) -> io::Result<UnixStream> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        format!("unix-abstract:{name}: abstract sockets exist on Linux only"),
    ))
}
