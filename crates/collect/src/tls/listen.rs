//! How a listener speaks TLS.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;

use super::certificate::Certificate;
use crate::CollectError;

/// What a listener shows, and what it wants to see.
#[derive(Debug, Clone)]
pub struct Tls {
    /// The certificate that it shows.
    pub certificate: Certificate,
    /// The certificates of its clients.
    pub clients: Clients,
}

/// Which certificates of clients are asked for; the authorities are a file in PEM.
#[derive(Debug, Clone, Default)]
pub enum Clients {
    /// None: browsers have none.
    #[default]
    Any,
    /// Whoever shows one of these authorities is known; others are let in, and are strangers.
    May(PathBuf),
    /// Whoever shows none of these authorities is sent away.
    Must(PathBuf),
}

impl Tls {
    /// What takes connections of a listener that speaks HTTP, old or new.
    pub fn acceptor(&self) -> Result<TlsAcceptor, CollectError> {
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().map_err(|error| bad(Path::new("TLS"), error))?;
        let builder = match &self.clients {
            Clients::Any => builder.with_no_client_auth(),
            Clients::May(path) => builder.with_client_cert_verifier(verifier(path, true)?),
            Clients::Must(path) => builder.with_client_cert_verifier(verifier(path, false)?),
        };
        let mut config = builder.with_cert_resolver(Arc::new(self.certificate.clone()));
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

fn verifier(path: &Path, strangers: bool) -> Result<Arc<dyn ClientCertVerifier>, CollectError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(|error| bad(path, error))?;
    }
    let provider = Arc::new(ring::default_provider());
    let builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
    let builder = if strangers { builder.allow_unauthenticated() } else { builder };
    builder.build().map_err(|error| bad(path, error))
}

/// The certificates of a file; an error if there are none.
pub(super) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, CollectError> {
    let found = CertificateDer::pem_file_iter(path).map_err(|error| bad(path, error))?;
    let found = found.collect::<Result<Vec<_>, _>>().map_err(|error| bad(path, error))?;
    if found.is_empty() {
        return Err(bad(path, "it holds no certificate"));
    }
    Ok(found)
}

pub(super) fn bad(path: &Path, reason: impl std::fmt::Display) -> CollectError {
    CollectError::Tls { path: path.to_owned(), reason: reason.to_string() }
}
