//! The live clusters: their watches, audit logs and webhooks.

use std::sync::Arc;

use axum::Router;
use clew_collect::intake::Intake;
use clew_collect::live::audit::{self, LogSettings, ReceiverSettings};
use clew_collect::live::{self, Connection, Contexts, Parts, SourceKind, Sources};
use clew_model::annotation::Codec;
use clew_server::admission::{self, AdmissionFacts, Webhook};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::kept::Kept;
use crate::commands::up::Settings;

/// What every live source works with.
pub(super) fn parts(settings: &Settings, kept: &Kept, intake: Intake, sources: Sources) -> anyhow::Result<Parts> {
    Ok(Parts {
        intake,
        redactor: kept.redactor.clone(),
        sources,
        contexts: Arc::new(Contexts::default()),
        folder: Some(settings.data()?.join("sources")),
    })
}

/// Follows every cluster and audit log that the settings name, until told to stop.
pub(super) fn follow(
    settings: &Settings,
    connections: Vec<Connection>,
    parts: &Parts,
    stopped: &watch::Receiver<bool>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<()> {
    for connection in connections {
        let (watched, parts, stopped) = (settings.clusters.watch()?, parts.clone(), stopped.clone());
        tasks.spawn(async move {
            live::watch::run(connection, watched, parts, stopped).await;
            Ok(())
        });
    }
    if let Some(path) = settings.clusters.audit_log.clone() {
        let log = LogSettings { cluster: settings.cluster().into(), path, from_start: true };
        let (parts, stopped) = (parts.clone(), stopped.clone());
        tasks.spawn(async move {
            audit::follow(log, parts, stopped).await;
            Ok(())
        });
    }
    Ok(())
}

/// What API servers call: the audit webhook and the admission webhook.
pub(super) fn webhooks(settings: &Settings, kept: &Kept, parts: &Parts) -> Router {
    let mut access = audit::Access::open();
    if let Some(token) = &kept.token {
        access = access.with_token(token);
    }
    if settings.tls_client_ca.is_some() {
        access = access.with_certificates(Vec::new());
    }
    let audit = audit::router(parts.clone(), ReceiverSettings { access, ..ReceiverSettings::default() });
    let stamping =
        admission::Settings { cluster: settings.cluster().into(), codec: Codec::default(), templates: false };
    let admission = admission::router(Webhook {
        settings: Arc::new(stamping),
        contexts: Arc::clone(&parts.contexts),
        facts: Some(AdmissionFacts::start(settings.cluster().into(), parts.intake.clone())),
        source: parts.sources.of(settings.cluster(), SourceKind::Admission, "webhook"),
    });
    audit.merge(admission)
}
