//! What clew shows and what it asks for: its certificate, its token, the key that hides secrets; made by itself if so told.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use clew_collect::live::{Connection, OwnSecret};
use clew_collect::redact::Redactor;
use clew_collect::tls::{Certificate, Clients, Files, Keep, Own, Tls};

use super::{clock, key};
use crate::commands::up::Settings;

/// The entries of the Secret, beside the authorities.
const TOKEN: &str = "token";
const KEY: &str = "redaction.key";

/// What listeners show and ask for.
pub(super) struct Kept {
    /// The bearer token that requests must carry, if any.
    pub(super) token: Option<String>,
    /// What hides secrets.
    pub(super) redactor: Redactor,
    /// Where the certificate comes from.
    pub(super) shown: Shown,
}

/// Where the certificate of the listeners comes from.
pub(super) enum Shown {
    /// There is none: they speak plain text.
    Nothing,
    /// Others make it.
    Files(Files, Certificate),
    /// clew makes it.
    Own(Arc<Own>),
}

impl Kept {
    /// Reads what there is, and makes what is missing.
    pub(super) async fn open(settings: &Settings, connections: &[Connection]) -> anyhow::Result<Self> {
        let secret = match (&settings.admission.own_secret, connections) {
            (None, _) => None,
            (Some(name), [connection]) => Some(Keep::Secret(OwnSecret::new(connection, name))),
            (Some(name), _) => bail!("--own-secret {name} needs one cluster, not {}", connections.len()),
        };
        let token = match (settings.token()?, &secret) {
            (None, Some(secret)) => Some(own_token(secret).await?),
            (token, _) => token,
        };
        let redactor = match (&settings.key_file, &secret) {
            (None, Some(secret)) => own_redactor(secret).await?,
            _ => key::redactor(&settings.key_file()?)?,
        };
        let shown = match settings.files() {
            Some(files) => {
                let certificate = files.certificate()?;
                Shown::Files(files, certificate)
            }
            None if settings.admission.makes_own() => {
                let folder = settings.data()?.join("own");
                let keep = secret.unwrap_or_else(|| Keep::Folder(folder.clone()));
                Shown::Own(Arc::new(Own::open(keep, folder, settings.admission.names()?, clock()).await?))
            }
            None => Shown::Nothing,
        };
        Ok(Self { token, redactor, shown })
    }

    /// How a listener speaks TLS that wants to see such certificates; none if it speaks plain text.
    pub(super) fn tls(&self, clients: Clients) -> Option<Tls> {
        let certificate = match &self.shown {
            Shown::Nothing => return None,
            Shown::Files(_, certificate) => certificate.clone(),
            Shown::Own(own) => own.certificate(),
        };
        Some(Tls { certificate, clients })
    }

    /// Whom replicas trust that show certificates of clew's own, under the same authorities as this one.
    pub(super) fn own_authorities(&self) -> Option<PathBuf> {
        match &self.shown {
            Shown::Own(own) => Some(own.bundle()),
            Shown::Nothing | Shown::Files(..) => None,
        }
    }

    /// How listeners are spoken to.
    pub(super) fn scheme(&self) -> &'static str {
        if matches!(self.shown, Shown::Nothing) { "http" } else { "https" }
    }
}

/// The token that clew asks for when nobody gave one: whoever may read the Secret may read everything.
async fn own_token(secret: &Keep) -> anyhow::Result<String> {
    let mut halves = [[0; 16]; 2];
    for half in &mut halves {
        getrandom::fill(half).context("cannot make a token")?;
    }
    let [first, second] = halves.map(u128::from_be_bytes);
    let fresh = format!("{first:032x}{second:032x}");
    let token = secret.update(TOKEN, |kept| Ok(kept.is_none().then(|| fresh.as_bytes().to_vec()))).await?;
    Ok(String::from_utf8(token).context("the token is no text: remove it, and a new one is made")?.trim().to_owned())
}

/// One key for all replicas, so that the same value has the same hash in each.
async fn own_redactor(secret: &Keep) -> anyhow::Result<Redactor> {
    let mut fresh = [0; 32];
    getrandom::fill(&mut fresh).context("cannot make the key of the redaction")?;
    let key = secret.update(KEY, |kept| Ok(kept.is_none().then(|| fresh.to_vec()))).await?;
    match <[u8; 32]>::try_from(key) {
        Ok(key) => Ok(Redactor::new(key)),
        Err(key) => bail!("{KEY} has {} bytes, not 32: remove it, and a new one is made", key.len()),
    }
}
