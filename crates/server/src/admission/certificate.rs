//! The webhook's certificate: made by clew itself, under an authority that stays, and renewed while it runs.
//!
//! The authority is kept in a folder, so that what the API server trusts (`caBundle`) outlives renewals and restarts.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use clew_model::Time;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, date_time_ymd};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

const DAY: i64 = 86_400_000_000_000;
/// How long a certificate is good, and how long it is used.
const GOOD_FOR: i64 = 90 * DAY;
const RENEW_EVERY: Duration = Duration::from_hours(30 * 24);
/// The authority's time: longer than an installation lives.
const AUTHORITY_GOOD_FOR: i64 = 3650 * DAY;

/// The webhook's certificate, which changes while the webhook runs.
pub struct Certificates {
    names: Vec<String>,
    authority: String,
    issuer: Issuer<'static, KeyPair>,
    current: RwLock<Arc<CertifiedKey>>,
}

impl Certificates {
    /// Opens the authority of a folder, or makes one, and a certificate for these names and addresses.
    pub fn open(folder: &Path, names: Vec<String>, now: Time) -> io::Result<Arc<Self>> {
        let (authority, key) = match read(folder)? {
            Some(kept) => kept,
            None => make(folder, now)?,
        };
        let issuer = Issuer::new(authority_params(now), key);
        let current = RwLock::new(Arc::new(certified(&issuer, &names, now)?));
        Ok(Arc::new(Self { names, authority, issuer, current }))
    }

    /// What the API server must trust, in PEM.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// A configuration that always serves the newest certificate.
    pub fn server_config(self: &Arc<Self>) -> io::Result<ServerConfig> {
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().map_err(io::Error::other)?;
        let mut config =
            builder.with_no_client_auth().with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }

    /// Makes a new certificate, for connections that come from now on.
    pub fn renew(&self, now: Time) -> io::Result<()> {
        let fresh = Arc::new(certified(&self.issuer, &self.names, now)?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }

    /// Renews for as long as it is polled. A failure keeps the old one, which is good for two more months.
    pub async fn keep_fresh(self: Arc<Self>) {
        loop {
            tokio::time::sleep(RENEW_EVERY).await;
            let _ = self.renew(crate::clock::now());
        }
    }
}

impl fmt::Debug for Certificates {
    /// Without the keys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificates").field("names", &self.names).finish_non_exhaustive()
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn certified(issuer: &Issuer<'static, KeyPair>, names: &[String], now: Time) -> io::Result<CertifiedKey> {
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let mut params = CertificateParams::new(names).map_err(io::Error::other)?;
    set_time(&mut params, now, GOOD_FOR);
    let certificate = params.signed_by(&key, issuer).map_err(io::Error::other)?;
    let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(io::Error::other)?;
    let key = ring::sign::any_supported_type(&key).map_err(io::Error::other)?;
    Ok(CertifiedKey::new(vec![certificate.der().clone()], key))
}

fn authority_params(now: Time) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "clew webhook authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    set_time(&mut params, now, AUTHORITY_GOOD_FOR);
    params
}

fn read(folder: &Path) -> io::Result<Option<(String, KeyPair)>> {
    let texts = (fs::read_to_string(folder.join("authority.crt")), fs::read_to_string(folder.join("authority.key")));
    match texts {
        (Ok(certificate), Ok(key)) => Ok(Some((certificate, KeyPair::from_pem(&key).map_err(io::Error::other)?))),
        (Err(error), _) | (_, Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

fn make(folder: &Path, now: Time) -> io::Result<(String, KeyPair)> {
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let certificate = authority_params(now).self_signed(&key).map_err(io::Error::other)?.pem();
    fs::create_dir_all(folder)?;
    // The key last: without it, the next start makes both anew.
    for (name, text) in [("authority.crt", certificate.as_str()), ("authority.key", key.serialize_pem().as_str())] {
        let path = folder.join(name);
        let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
    }
    Ok((certificate, key))
}

/// From a day ago, since the API server's clock may be behind, for a while.
fn set_time(params: &mut CertificateParams, now: Time, good_for: i64) {
    let day = |time: Time| {
        let text = time.to_string();
        let mut parts = text.get(..10).unwrap_or_default().split('-').map(|part| part.parse::<u16>().unwrap_or(1));
        let mut next = || parts.next().unwrap_or(1);
        let (year, month, day) = (next(), next(), next());
        date_time_ymd(i32::from(year), u8::try_from(month).unwrap_or(1), u8::try_from(day).unwrap_or(1))
    };
    params.not_before = day(now.saturating_sub(DAY));
    params.not_after = day(now.saturating_add(good_for));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_stays_over_restarts_and_renewals_while_certificates_change() {
        let folder = tempfile::tempdir().expect("folder");
        let now = "2026-11-15T16:00:00Z".parse().expect("a time");
        let open = || Certificates::open(folder.path(), vec!["127.0.0.1".to_owned()], now).expect("certificates");
        let (first, second) = (open(), open());
        assert_eq!(first.authority(), second.authority());
        let serves = |it: &Certificates| it.current.read().expect("lock").cert[0].clone();
        let before = serves(&first);
        first.renew(now).expect("renewed");
        assert_ne!(before, serves(&first));
        assert!(!format!("{first:?}").contains("PRIVATE"));
        fs::remove_file(folder.path().join("authority.key")).expect("removed");
        assert_ne!(open().authority(), first.authority(), "half an authority is none");
    }
}
