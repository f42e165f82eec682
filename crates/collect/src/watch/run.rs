//! All watches of a cluster: started as discovery finds resources, also those that come later.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::begun::Begun;
use super::discovery::discover;
use super::resource::{Resource, Watcher};
use super::select::Selection;
use crate::record::Context;

/// How often the cluster is asked for its resources.
const EVERY: Duration = Duration::from_secs(30);
/// How often while a definition has just changed: the API server serves it a moment later.
const SOON: Duration = Duration::from_millis(500);
const SOON_FOR: Duration = Duration::from_secs(10);
/// How often while the cluster does not answer.
const RETRY: Duration = Duration::from_secs(1);
/// More resources than any cluster has; each costs a connection.
const MAX_WATCHES: usize = 2000;

/// Watches everything that is selected until aborted.
pub(crate) async fn run(client: Client, selection: Selection, context: Context) {
    let mut all = Watches {
        client,
        context,
        running: BTreeSet::new(),
        tasks: JoinSet::new(),
        others: Arc::new(Notify::new()),
        has_begun: false,
    };
    let mut told = false;
    let mut soon_until = Instant::now();
    loop {
        let wait = match discover(&all.client, &selection).await {
            Ok(found) => {
                told = false;
                all.start(found);
                if Instant::now() < soon_until { SOON } else { EVERY }
            }
            Err(error) => {
                if !std::mem::replace(&mut told, true) {
                    all.context.notice(format!("the cluster does not answer, trying on: {}", causes(&error)));
                }
                RETRY
            }
        };
        let others = Arc::clone(&all.others);
        tokio::select! {
            () = sleep(wait) => {}
            () = others.notified() => {
                soon_until = Instant::now() + SOON_FOR;
                sleep(SOON).await;
            }
            Some(ended) = all.tasks.join_next() => all.end(ended.ok()),
        }
    }
}

/// The whole chain: the outer errors of a client seldom say what is wrong.
fn causes(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !told.contains(&text) {
            told = format!("{told}: {text}");
        }
        source = cause.source();
    }
    told
}

struct Watches {
    client: Client,
    context: Context,
    /// The paths that are watched.
    running: BTreeSet<String>,
    tasks: JoinSet<String>,
    others: Arc<Notify>,
    has_begun: bool,
}

impl Watches {
    fn start(&mut self, found: Vec<Resource>) {
        let begun = (!std::mem::replace(&mut self.has_begun, true)).then(|| Arc::new(Begun::new(found.len())));
        for resource in found {
            if self.running.len() >= MAX_WATCHES || !self.running.insert(resource.path.clone()) {
                continue;
            }
            let (client, context) = (self.client.clone(), self.context.clone());
            let (others, begun) = (Arc::clone(&self.others), begun.clone());
            self.tasks.spawn(async move {
                let watcher = Watcher {
                    client: &client,
                    resource: &resource,
                    context: &context,
                    others: &others,
                    begun: begun.as_deref(),
                };
                let _ = watcher.run().await;
                resource.path
            });
        }
        self.context.queue.counts().set_watched(self.running.len());
    }

    fn end(&mut self, path: Option<String>) {
        if let Some(path) = path {
            self.running.remove(&path);
        }
        self.context.queue.counts().set_watched(self.running.len());
    }
}
