//! The receiver's certificate, and its clients'.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;

use super::settings::Tls;
use crate::CollectError;

/// Reads the files of a listener that speaks HTTP, old or new.
pub fn acceptor(settings: &Tls) -> Result<TlsAcceptor, CollectError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| bad(&settings.certificate, error))?;
    let builder = match &settings.client_authorities {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(path)? {
                roots.add(certificate).map_err(|error| bad(path, error))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().map_err(|error| bad(path, error))?)
        }
    };
    let key = PrivateKeyDer::from_pem_file(&settings.key).map_err(|error| bad(&settings.key, error))?;
    let chain = certificates(&settings.certificate)?;
    let mut config = builder.with_single_cert(chain, key).map_err(|error| bad(&settings.certificate, error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, CollectError> {
    let found = CertificateDer::pem_file_iter(path).map_err(|error| bad(path, error))?;
    let found = found.collect::<Result<Vec<_>, _>>().map_err(|error| bad(path, error))?;
    if found.is_empty() {
        return Err(bad(path, "it holds no certificate"));
    }
    Ok(found)
}

fn bad(path: &Path, reason: impl std::fmt::Display) -> CollectError {
    CollectError::Tls { path: path.to_owned(), reason: reason.to_string() }
}
