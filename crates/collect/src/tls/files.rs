//! A certificate that others make: read from files, and read again when they change.

use std::path::PathBuf;
use std::time::Duration;

use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::CertifiedKey;
use tokio::sync::watch;

use super::certificate::Certificate;
use super::listen::{bad, certificates};
use crate::CollectError;
use crate::live::SourceHandle;

/// The files of a certificate, in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The certificate, and those that lead to its authority.
    pub certificate: PathBuf,
    /// The certificate's key.
    pub key: PathBuf,
}

impl Files {
    /// Reads them.
    pub fn certificate(&self) -> Result<Certificate, CollectError> {
        Ok(Certificate::new(self.read()?))
    }

    /// Looks at them every so often until told to stop, and shows what is new in them; says so in the log, too.
    ///
    /// A certificate and a key that do not go together are said, and what was shown before still is.
    pub async fn follow(
        self,
        certificate: Certificate,
        source: SourceHandle,
        (every, log): (Duration, fn(&str)),
        mut stopped: watch::Receiver<bool>,
    ) {
        let (mut shown, mut told) = (self.content(), None);
        source.up_with(format!("from {}", self.certificate.display()));
        loop {
            tokio::select! {
                () = tokio::time::sleep(every) => {}
                _ = stopped.wait_for(|stop| *stop) => return,
            }
            let content = self.content();
            if content == shown || Some(&content) == told.as_ref() {
                continue;
            }
            match self.read() {
                Ok(next) => {
                    certificate.replace(next);
                    source.seen(1);
                    let said = format!("a new certificate from {}", self.certificate.display());
                    log(&said);
                    source.up_with(said);
                    shown = content;
                }
                Err(error) => {
                    source.dropped(1);
                    let said = format!("{error}; the certificate from before is still shown");
                    log(&said);
                    source.failed(said);
                    // The same files will not be better the next time.
                    told = Some(content);
                }
            }
        }
    }

    fn read(&self) -> Result<CertifiedKey, CollectError> {
        let chain = certificates(&self.certificate)?;
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| bad(&self.key, error))?;
        let provider = ring::default_provider();
        CertifiedKey::from_der(chain, key, &provider).map_err(|error| bad(&self.certificate, error))
    }

    /// What tells one state of the files from another: not their times, which a volume of a Secret does not keep.
    fn content(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for path in [&self.certificate, &self.key] {
            let content = std::fs::read(path).unwrap_or_default();
            hasher.update(&(content.len() as u64).to_le_bytes()).update(&content);
        }
        hasher.finalize()
    }
}
