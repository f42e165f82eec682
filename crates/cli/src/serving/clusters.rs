//! The live clusters: one watch each.

use std::sync::Arc;

use clew_collect::intake::Intake;
use clew_collect::live::{self, Contexts, Parts, Sources};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::key;
use crate::commands::up::Settings;

/// Follows every cluster that the settings name, until told to stop.
pub(super) async fn follow(
    settings: &Settings,
    intake: Intake,
    sources: Sources,
    stopped: &watch::Receiver<bool>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<()> {
    let connections = settings.clusters.connections(settings.cluster.as_deref()).await?;
    if connections.is_empty() {
        return Ok(());
    }
    let parts = Parts {
        intake,
        redactor: key::redactor(&settings.key_file()?)?,
        sources,
        contexts: Arc::new(Contexts::default()),
        folder: Some(settings.data()?.join("sources")),
    };
    for connection in connections {
        let (watched, parts, stopped) = (settings.clusters.watch()?, parts.clone(), stopped.clone());
        tasks.spawn(async move {
            live::watch::run(connection, watched, parts, stopped).await;
            Ok(())
        });
    }
    Ok(())
}
