//! TLS with files that an administrator names.

use super::stream::Stream;
use crate::config::TlsConfig;
use rustls::ClientConfig;
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use std::io;
use std::sync::Arc;
use tokio_rustls::TlsConnector;

/// The files of a TLS client; the system's authorities are trusted when none are named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TlsFiles {
    pub(crate) authorities: Option<String>,
    pub(crate) certificate: Option<String>,
    pub(crate) key: Option<String>,
}

impl TlsFiles {
    pub(super) fn of_proxy(config: &TlsConfig) -> Self {
        let some = |text: &String| (!text.is_empty()).then(|| text.clone());
        Self {
            authorities: some(&config.ca_bundle),
            certificate: some(&config.client_cert),
            key: some(&config.client_key),
        }
    }
}

/// A client's configuration out of files.
pub(crate) fn client_config(files: &TlsFiles, protocol: &[u8]) -> Result<Arc<ClientConfig>, String> {
    let roots = match &files.authorities {
        Some(path) => file_roots(path)?,
        None => system_roots(),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots);
    let mut config = match (&files.certificate, &files.key) {
        (Some(certificate), Some(key)) => {
            let chain = certificates(certificate)?;
            let key_der = PrivateKeyDer::from_pem_file(key).map_err(|error| format!("reading key {key}: {error}"))?;
            builder
                .with_client_auth_cert(chain, key_der)
                .map_err(|error| format!("client certificate {certificate}: {error}"))?
        }
        (None, None) => builder.with_no_client_auth(),
        _ => return Err("a client certificate needs its key, and a key its certificate: set both".to_owned()),
    };
    config.alpn_protocols = vec![protocol.to_vec()];
    Ok(Arc::new(config))
}

fn file_roots(path: &str) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(|error| format!("certificate authority in {path}: {error}"))?;
    }
    if roots.is_empty() {
        return Err(format!("{path} holds no certificate: give a PEM file"));
    }
    Ok(roots)
}

fn certificates(path: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let fail = |error: rustls::pki_types::pem::Error| format!("reading certificates {path}: {error}");
    CertificateDer::pem_file_iter(path).map_err(fail)?.collect::<Result<_, _>>().map_err(fail)
}

fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

/// Speaks TLS over a connection.
pub(super) async fn wrap(stream: Stream, config: Arc<ClientConfig>, host: &str) -> io::Result<Stream> {
    let name =
        ServerName::try_from(host.to_owned()).map_err(|error| io::Error::other(format!("TLS name {host}: {error}")))?;
    Ok(Stream::new(TlsConnector::from(config).connect(name, stream).await?))
}
