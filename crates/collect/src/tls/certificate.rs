//! The certificate that a listener shows.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

/// A certificate and its key, which may be replaced while they are used; cheap to clone, and all clones change together.
#[derive(Clone)]
pub struct Certificate(Arc<RwLock<Arc<CertifiedKey>>>);

impl Certificate {
    pub(super) fn new(first: CertifiedKey) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(first))))
    }

    /// For connections that come from now on.
    pub(super) fn replace(&self, next: CertifiedKey) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
    }

    fn shown(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.shown())
    }
}

impl fmt::Debug for Certificate {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate").field("chain", &self.shown().cert.len()).finish_non_exhaustive()
    }
}
