//! One connection to another replica.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use clew_store::Position;
use http::{HeaderMap, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::agreement::Agreement;
use super::serve::{BEHIND, FIRST, HELLO, LAST, LOG};
use crate::CollectError;

/// How long connecting, and an answer, may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// The largest answer: one record of the log may have 64 MiB.
const MOST: usize = 72 << 20;

/// A piece of another replica's log.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) frames: Bytes,
    pub(super) last: Position,
    pub(super) first: Position,
    pub(super) behind: u64,
}

/// Asks one replica, over one connection at a time.
pub(super) struct Client {
    uri: Uri,
    tls: Option<TlsConnector>,
    token: Option<String>,
    connection: Option<SendRequest<Body>>,
}

impl Client {
    /// Reads the settings; connects later.
    pub(super) fn new(url: &str, authorities: Option<&Path>, token: Option<String>) -> Result<Self, CollectError> {
        let bad = |reason: String| CollectError::Peer { url: url.to_owned(), reason };
        let uri: Uri = url.parse().map_err(|error: http::uri::InvalidUri| bad(error.to_string()))?;
        let tls = match uri.scheme_str() {
            Some("http") => None,
            Some("https") => Some(TlsConnector::from(config(authorities).map_err(bad)?)),
            _ => return Err(bad("it must begin with http:// or https://".to_owned())),
        };
        if uri.host().is_none() {
            return Err(bad("it has no host".to_owned()));
        }
        Ok(Self { uri, tls, token, connection: None })
    }

    /// What it says of itself.
    pub(super) async fn hello(&mut self) -> Result<Agreement, String> {
        let (_, body) = self.get(HELLO.to_owned()).await?;
        serde_json::from_slice(&body).map_err(|_| "it answers, but is no replica of clew".to_owned())
    }

    /// What it took itself after a position.
    pub(super) async fn log(&mut self, of: &str, me: &str, after: Position) -> Result<Piece, String> {
        let (headers, frames) = self.get(format!("{LOG}?of={of}&me={me}&after={}", after.0)).await?;
        let number = |name: &str| {
            let text = headers.get(name).and_then(|value| value.to_str().ok());
            text.and_then(|text| text.parse().ok()).ok_or_else(|| format!("its answer has no {name}"))
        };
        Ok(Piece { frames, last: Position(number(LAST)?), first: Position(number(FIRST)?), behind: number(BEHIND)? })
    }

    async fn get(&mut self, path: String) -> Result<(HeaderMap, Bytes), String> {
        let asked = tokio::time::timeout(ANSWER_WITHIN, self.ask(path)).await;
        let asked = asked.unwrap_or_else(|_| Err(format!("no answer within {} s", ANSWER_WITHIN.as_secs())));
        if asked.is_err() {
            self.connection = None;
        }
        asked
    }

    async fn ask(&mut self, path: String) -> Result<(HeaderMap, Bytes), String> {
        let host = self.uri.authority().map(|authority| authority.as_str().to_owned()).unwrap_or_default();
        let mut request = Request::get(path).header(header::HOST, host);
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::empty()).map_err(|error| error.to_string())?;
        let mut connection = match self.connection.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        connection.ready().await.map_err(|error| error.to_string())?;
        let answer = connection.send_request(request).await.map_err(|error| error.to_string())?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, MOST).collect().await.map_err(|error| error.to_string())?.to_bytes();
        self.connection = Some(connection);
        match head.status {
            StatusCode::OK => Ok((head.headers, body)),
            StatusCode::UNAUTHORIZED => Err("it wants another token: give all replicas the same".to_owned()),
            StatusCode::NOT_FOUND => Err("it knows no replicas: give it --peer, too".to_owned()),
            other => {
                let told = String::from_utf8_lossy(&body[..body.len().min(200)]).trim().to_owned();
                Err(format!("it answered {other}: {told}"))
            }
        }
    }

    async fn connect(&self) -> Result<SendRequest<Body>, String> {
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

/// TLS that trusts the authorities of a file, or the system's.
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
