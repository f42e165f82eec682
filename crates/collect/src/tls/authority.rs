//! The authorities of clew's own making: when a new one is due, and what it signs.

use std::time::Duration;

use clew_model::Time;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    date_time_ymd,
};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::CertifiedKey;
use serde::{Deserialize, Serialize};

const DAY: i64 = 86_400_000_000_000;
/// How long a certificate is good: one process seldom lives that long.
const GOOD_FOR: i64 = 90 * DAY;
/// How long an authority is good.
const AUTHORITY_GOOD_FOR: i64 = 730 * DAY;

/// The authorities that are trusted now, the newest first; that one signs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Authorities(Vec<Authority>);

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Authority {
    /// In PEM.
    certificate: String,
    /// In PEM.
    key: String,
    /// When it ends; no two have the same, since one is made when the one before is old.
    pub(super) until: Time,
}

impl std::fmt::Debug for Authority {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").field("until", &self.until).finish_non_exhaustive()
    }
}

impl Authorities {
    /// What a client must trust, in PEM: the old ones, too, for as long as their certificates are shown.
    pub fn bundle(&self) -> String {
        self.0.iter().map(|authority| authority.certificate.as_str()).collect()
    }

    pub(super) fn newest(&self) -> Option<&Authority> {
        self.0.first()
    }

    /// The same at this time: without those that have ended, and with a new one if the newest will end before long.
    pub(super) fn at(&self, now: Time) -> Result<Self, rcgen::Error> {
        let mut live: Vec<Authority> = self.0.iter().filter(|authority| authority.until > now).cloned().collect();
        if live.first().is_none_or(|newest| is_old(newest.until, AUTHORITY_GOOD_FOR, now)) {
            live.insert(0, Authority::new(now)?);
        }
        Ok(Self(live))
    }
}

/// Whether less than a third of its time is left.
pub(super) fn is_old(until: Time, good_for: i64, now: Time) -> bool {
    now.saturating_add(good_for / 3) >= until
}

impl Authority {
    fn new(now: Time) -> Result<Self, rcgen::Error> {
        let key = KeyPair::generate()?;
        let until = now.saturating_add(AUTHORITY_GOOD_FOR);
        let mut params = Self::params(until);
        set_time(&mut params, now, until);
        Ok(Self { certificate: params.self_signed(&key)?.pem(), key: key.serialize_pem(), until })
    }

    /// What its certificate and those that it signs have in common.
    fn params(until: Time) -> CertificateParams {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, format!("clew until {until}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        params
    }

    /// A certificate for these names and addresses, and when it ends.
    pub(super) fn sign(&self, names: &[String], now: Time) -> Result<(CertifiedKey, Time), String> {
        let issuer = Issuer::new(Self::params(self.until), KeyPair::from_pem(&self.key).map_err(text)?);
        let (key, until) = (KeyPair::generate().map_err(text)?, now.saturating_add(GOOD_FOR));
        let mut params = CertificateParams::new(names).map_err(text)?;
        params.use_authority_key_identifier_extension = true;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        set_time(&mut params, now, until);
        let certificate = params.signed_by(&key, &issuer).map_err(text)?;
        let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(text)?;
        let key = ring::sign::any_supported_type(&key).map_err(text)?;
        Ok((CertifiedKey::new(vec![certificate.der().clone()], key), until))
    }

    /// Whether a certificate that ends then should be followed by another.
    pub(super) fn is_due(until: Time, now: Time) -> bool {
        is_old(until, GOOD_FOR, now)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// From a day ago, since the clock of who looks may be behind.
fn set_time(params: &mut CertificateParams, now: Time, until: Time) {
    let moment = |time: Time| {
        let since = u64::try_from(time.as_nanos()).unwrap_or(0);
        date_time_ymd(1970, 1, 1) + Duration::from_nanos(since)
    };
    params.not_before = moment(now.saturating_sub(DAY));
    params.not_after = moment(until);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_is_followed_by_another_before_it_ends_and_trusted_until_then() {
        let now: Time = "2026-11-15T16:00:00Z".parse().expect("a time");
        let later = |days: i64| now.saturating_add(days * DAY);
        let first = Authorities::default().at(now).expect("made");
        assert_eq!(first.0.len(), 1);
        assert_eq!(first.at(later(400)).expect("same"), first, "not yet");
        let both = first.at(later(500)).expect("renewed");
        assert_eq!(both.0.len(), 2);
        assert!(both.bundle().ends_with(&first.bundle()) && both.newest() != first.newest());
        assert_eq!(both.at(later(600)).expect("same"), both, "once is enough");
        let second = both.at(later(731)).expect("the first has ended");
        assert_eq!(second.newest(), both.newest());
        assert_eq!(second.0.len(), 1);
        assert!(!format!("{both:?}").contains("PRIVATE"));
    }
}
