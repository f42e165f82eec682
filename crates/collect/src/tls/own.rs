//! A certificate of clew's own making, followed by another before it ends.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clew_model::Time;

use super::authority::{Authorities, Authority};
use super::certificate::Certificate;
use super::keep::Keep;
use crate::CollectError;

/// The entry in which the authorities are kept, and the one that tells others whom to trust.
const ENTRY: &str = "authorities.json";
const BUNDLE: &str = "ca.crt";

/// A certificate of clew's own making, under authorities that are kept, so that whoever trusts them need not be told of each start.
pub struct Own {
    names: Vec<String>,
    keep: Keep,
    /// A folder of this machine that has the bundle, too: what connects from here to others with such a certificate reads it.
    folder: PathBuf,
    certificate: Certificate,
    /// When the certificate that is shown ends, and when its authority does.
    shown: Mutex<(Time, Time)>,
}

impl Own {
    /// Opens the authorities that are kept, or makes one, and a certificate for these names and addresses.
    pub async fn open(keep: Keep, folder: PathBuf, names: Vec<String>, now: Time) -> Result<Self, CollectError> {
        let authorities = kept(&keep, &folder, now).await?;
        let newest = newest(&keep, &authorities)?;
        let (first, until) = newest.sign(&names, now).map_err(|reason| keep.failed(reason))?;
        let shown = Mutex::new((until, newest.until));
        Ok(Self { names, keep, folder, certificate: Certificate::new(first), shown })
    }

    /// The certificate, which changes.
    pub fn certificate(&self) -> Certificate {
        self.certificate.clone()
    }

    /// The authorities at this time: kept before anybody is told of them.
    pub async fn authorities(&self, now: Time) -> Result<Authorities, CollectError> {
        kept(&self.keep, &self.folder, now).await
    }

    /// The file that says whom to trust; it changes.
    pub fn bundle(&self) -> PathBuf {
        self.folder.join(BUNDLE)
    }

    /// Shows another certificate if it is time, or if there is a newer authority; says whether it did.
    ///
    /// To be called once whoever is to trust these authorities does.
    pub fn renew(&self, authorities: &Authorities, now: Time) -> Result<bool, CollectError> {
        let newest = newest(&self.keep, authorities)?;
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.1 == newest.until && !Authority::is_due(shown.0, now) {
            return Ok(false);
        }
        let (next, until) = newest.sign(&self.names, now).map_err(|reason| self.keep.failed(reason))?;
        self.certificate.replace(next);
        *shown = (until, newest.until);
        Ok(true)
    }
}

fn newest<'a>(keep: &Keep, authorities: &'a Authorities) -> Result<&'a Authority, CollectError> {
    authorities.newest().ok_or_else(|| keep.failed("there is no authority".to_owned()))
}

async fn kept(keep: &Keep, folder: &Path, now: Time) -> Result<Authorities, CollectError> {
    let text = keep.update(ENTRY, |kept| {
        let before: Authorities = match kept {
            Some(kept) => serde_json::from_slice(kept)
                .map_err(|error| format!("{ENTRY} cannot be read ({error}): remove it, and a new one is made"))?,
            None => Authorities::default(),
        };
        let after = before.at(now).map_err(|error| error.to_string())?;
        if after == before {
            return Ok(None);
        }
        serde_json::to_vec(&after).map(Some).map_err(|error| error.to_string())
    });
    let text = text.await?;
    let authorities: Authorities = serde_json::from_slice(&text).map_err(|error| keep.failed(error.to_string()))?;
    let bundle = authorities.bundle().into_bytes();
    for keep in [keep, &Keep::Folder(folder.to_owned())] {
        keep.update(BUNDLE, |kept| Ok((kept != Some(&bundle[..])).then(|| bundle.clone()))).await?;
    }
    Ok(authorities)
}
