//! Connections to other servers over HTTP/1, plain or with TLS.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::Uri;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// How long connecting may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);

/// A server, and how to reach it.
pub struct Dialer {
    uri: Uri,
    tls: Option<TlsConnector>,
}

impl Dialer {
    /// Reads the address, and the authorities that sign the server's certificate: those of a file, or the system's.
    pub fn new(url: &str, authorities: Option<&Path>) -> Result<Self, String> {
        let uri: Uri = url.parse().map_err(|error: http::uri::InvalidUri| error.to_string())?;
        let tls = match uri.scheme_str() {
            Some("http") => None,
            Some("https") => Some(TlsConnector::from(config(authorities)?)),
            _ => return Err("it must begin with http:// or https://".to_owned()),
        };
        if uri.host().is_none() {
            return Err("it has no host".to_owned());
        }
        Ok(Self { uri, tls })
    }

    /// The server's name and port, as requests name it.
    pub fn authority(&self) -> &str {
        self.uri.authority().map(http::uri::Authority::as_str).unwrap_or_default()
    }

    /// The path of the address, with its query.
    pub(crate) fn path(&self) -> &str {
        self.uri.path_and_query().map(http::uri::PathAndQuery::as_str).unwrap_or_default()
    }

    /// Connects.
    pub async fn connect(&self) -> Result<SendRequest<Body>, String> {
        let opened = tokio::time::timeout(CONNECT_WITHIN, self.open()).await;
        opened.unwrap_or_else(|_| Err(format!("no connection within {} s", CONNECT_WITHIN.as_secs())))
    }

    async fn open(&self) -> Result<SendRequest<Body>, String> {
        let told = |error: std::io::Error| error.to_string();
        let host = self.uri.host().unwrap_or_default();
        let port = self.uri.port_u16().unwrap_or(if self.tls.is_some() { 443 } else { 80 });
        let plain_host = host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((plain_host, port)).await.map_err(told)?;
        stream.set_nodelay(true).map_err(told)?;
        let Some(tls) = &self.tls else { return speak(stream).await };
        let name = ServerName::try_from(plain_host.to_owned()).map_err(|error| error.to_string())?;
        speak(tls.connect(name, stream).await.map_err(told)?).await
    }
}

async fn speak(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Result<SendRequest<Body>, String> {
    let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    // Ends with the sender.
    tokio::spawn(async move {
        let _ = connection.await;
    });
    Ok(sender)
}

fn config(authorities: Option<&Path>) -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    match authorities {
        Some(path) => {
            let told = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| told(&error))? {
                roots.add(certificate.map_err(|error| told(&error))?).map_err(|error| told(&error))?;
            }
        }
        None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
    Ok(Arc::new(builder.with_root_certificates(roots).with_no_client_auth()))
}
