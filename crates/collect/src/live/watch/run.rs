//! The watch of one cluster from start to end.

use std::sync::{Arc, Mutex};

use tokio::sync::{mpsc, watch};

use super::cursor;
use super::keeper::Keeper;
use super::ledger::Ledger;
use super::output::LiveOutput;
use super::settings::Settings;
use crate::live::sources::now;
use crate::live::{Connection, Parts, SourceKind};

/// Facts that may wait for the store: with bodies of at most 16 KiB, some 32 MiB.
const QUEUE: usize = 2048;

/// Watches a cluster until `stop` becomes true; then all that was seen is durable, and the cursor is written.
///
/// Nothing that goes wrong ends it: the cluster's own source and that of each resource say how they are.
pub async fn run(connection: Connection, settings: Settings, parts: Parts, mut stop: watch::Receiver<bool>) {
    let Connection { cluster, client } = connection;
    let source = parts.sources.of(&cluster, SourceKind::Cluster, "api-server");
    let file = parts.folder.as_deref().map(|folder| cursor::path(folder, &cluster));
    let former = file.as_deref().map(|path| cursor::read(path, settings.most_objects));
    let ledger = match former {
        Some(Err(error)) => {
            source.waiting(format!("cannot read where the watch was, listing anew: {error}"));
            None
        }
        Some(Ok(former)) => former,
        None => None,
    };
    let ledger =
        ledger.unwrap_or_else(|| Ledger { began: now(), most_objects: settings.most_objects, ..Ledger::default() });
    let ledger = Arc::new(Mutex::new(ledger));
    let (sender, receiver) = mpsc::channel(QUEUE);
    let keeper = Keeper {
        cluster: cluster.clone(),
        parts: parts.clone(),
        ledger: Arc::clone(&ledger),
        source: source.clone(),
        file,
        save_every: settings.save_every,
    };
    let keeping = tokio::spawn(keeper.run(receiver));
    let output = LiveOutput { cluster, parts, keeper: sender, ledger, source, shown: Arc::default() };
    tokio::select! {
        () = crate::watch::run(client, settings.effective_scope(), output) => {}
        _ = stop.wait_for(|stop| *stop) => {}
    }
    // The watches are gone with their future, and what they told is still kept.
    let _ = keeping.await;
}
