//! Keeps the certificate fresh, and the API server told of the webhook, for as long as clew runs.

use std::sync::Arc;
use std::time::Duration;

use clew_collect::live::{Connection, SourceHandle, SourceKind, Sources, apply_webhook};
use clew_collect::tls::Own;
use clew_server::admission::{Reached, Trust, configuration};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::clock;
use super::kept::{Kept, Shown};
use crate::commands::up::Settings;

/// How often all is looked at: what somebody changed in the configuration is put right then.
const EVERY: Duration = Duration::from_mins(5);
/// After a failure, sooner.
const AGAIN: Duration = Duration::from_secs(5);
/// How often files are looked at.
const LOOK: Duration = Duration::from_secs(5);

/// What the API server is to be told.
struct Webhook {
    connection: Connection,
    name: String,
    reached: Reached,
    /// Whom it is to trust, unless clew makes its certificate itself.
    trust: Trust,
    source: SourceHandle,
}

/// What is looked after.
struct Looked {
    own: Option<Arc<Own>>,
    webhook: Option<Webhook>,
    certificate: SourceHandle,
}

/// Starts to look after the certificate and the webhook, until told to stop.
pub(super) fn start(
    settings: &Settings,
    kept: &Kept,
    connections: &[Connection],
    sources: &Sources,
    stopped: &watch::Receiver<bool>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<()> {
    let own = match &kept.shown {
        Shown::Own(own) => Some(Arc::clone(own)),
        Shown::Files(files, certificate) => {
            let source = sources.of(settings.cluster(), SourceKind::Certificate, "files");
            let following = files.clone().follow(certificate.clone(), source, (LOOK, log), stopped.clone());
            tasks.spawn(async move {
                following.await;
                Ok(())
            });
            None
        }
        Shown::Nothing => None,
    };
    let webhook = match (settings.admission.reached()?, connections) {
        (None, _) => None,
        (Some(reached), [connection]) => Some(Webhook {
            connection: connection.clone(),
            name: settings.admission.name().to_owned(),
            reached,
            trust: settings.admission.webhook_ca_from.clone().map_or(Trust::System, Trust::CertManager),
            source: sources.of(settings.cluster(), SourceKind::Admission, "webhook"),
        }),
        (Some(_), _) => anyhow::bail!("--webhook needs one cluster, not {}", connections.len()),
    };
    if own.is_some() || webhook.is_some() {
        let certificate = sources.of(settings.cluster(), SourceKind::Certificate, "own");
        let looked = Looked { own, webhook, certificate };
        tasks.spawn(looked.keep(stopped.clone()));
    }
    Ok(())
}

impl Looked {
    async fn keep(self, mut stopped: watch::Receiver<bool>) -> anyhow::Result<()> {
        let mut said = String::new();
        loop {
            let failure = self.look().await.err().map(|error| format!("{error:#}"));
            if let Some(failure) = failure.as_ref().filter(|failure| **failure != said) {
                log(failure);
            }
            let wait = if failure.is_some() { AGAIN } else { EVERY };
            said = failure.unwrap_or_default();
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stopped.wait_for(|stop| *stop) => return Ok(()),
            }
        }
    }

    /// First the authorities are kept, then the API server trusts them, and only then it is shown what they signed.
    async fn look(&self) -> anyhow::Result<()> {
        let Some(own) = &self.own else { return self.tell(None).await };
        let now = clock();
        let authorities = own.authorities(now).await.inspect_err(|error| self.certificate.failed(error.to_string()))?;
        self.tell(Some(Trust::Authorities(authorities.bundle()))).await?;
        if own.renew(&authorities, now).inspect_err(|error| self.certificate.failed(error.to_string()))? {
            self.certificate.seen(1);
            log("a new certificate of clew's own is shown");
        }
        self.certificate.up_with("made by clew itself");
        Ok(())
    }

    async fn tell(&self, trust: Option<Trust>) -> anyhow::Result<()> {
        let Some(webhook) = &self.webhook else { return Ok(()) };
        let object = configuration(&webhook.name, &webhook.reached, trust.as_ref().unwrap_or(&webhook.trust));
        match apply_webhook(&webhook.connection, &object).await {
            Ok(()) => webhook.source.up(),
            Err(error) => {
                webhook.source.failed(error.to_string());
                return Err(error.into());
            }
        }
        Ok(())
    }
}

/// The log of a process that nobody watches is what it writes to standard error.
fn log(text: &str) {
    anstream::eprintln!("{text}");
}
