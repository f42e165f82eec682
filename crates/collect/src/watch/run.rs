//! All watches of a cluster: started as discovery finds resources, also those that come later.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use tokio::sync::{Notify, Semaphore};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep};

use super::begun::Begun;
use super::discovery::discover;
use super::output::Output;
use super::resource::{Resource, ResourceKey};
use super::scope::Scope;
use super::watcher::Watcher;

/// How often the cluster is asked for its resources.
const EVERY: Duration = Duration::from_secs(30);
/// How often while a definition has just changed: the API server serves it a moment later.
const SOON: Duration = Duration::from_millis(500);
const SOON_FOR: Duration = Duration::from_secs(10);
/// How often while the cluster does not answer.
const RETRY: Duration = Duration::from_secs(1);
/// More resources than any cluster has; each costs a connection.
const MAX_WATCHES: usize = 2000;
/// Pages of lists that are held at once: a cluster's resources are listed together when a watch begins.
const MAX_LISTS: usize = 8;

/// Watches everything in the scope until aborted, or until nobody takes what is seen.
pub(crate) async fn run<O: Output>(client: Client, scope: Scope, output: O) {
    let mut all = Watches {
        client,
        output,
        running: BTreeMap::new(),
        tasks: JoinSet::new(),
        others: Arc::new(Notify::new()),
        lists: Arc::new(Semaphore::new(MAX_LISTS)),
        has_begun: false,
    };
    let mut told = false;
    let mut soon_until = Instant::now();
    loop {
        let wait = match discover(&all.client, &scope).await {
            Ok(found) => {
                told = false;
                if all.output.discovered(&found).await.is_err() {
                    return;
                }
                all.start(found);
                if Instant::now() < soon_until { SOON } else { EVERY }
            }
            Err(error) => {
                if !std::mem::replace(&mut told, true) {
                    all.output.unreachable(&causes(&error));
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

struct Running {
    path: String,
    task: AbortHandle,
}

struct Watches<O> {
    client: Client,
    output: O,
    running: BTreeMap<ResourceKey, Running>,
    tasks: JoinSet<Resource>,
    others: Arc<Notify>,
    lists: Arc<Semaphore>,
    has_begun: bool,
}

impl<O: Output> Watches<O> {
    fn start(&mut self, found: Vec<Resource>) {
        let begun = (!std::mem::replace(&mut self.has_begun, true)).then(|| Arc::new(Begun::new(found.len())));
        for resource in found {
            let key = resource.key();
            match self.running.get(&key) {
                Some(running) if running.path == resource.path => continue,
                // Served in another version now: the same objects, which need only one watch.
                Some(former) => former.task.abort(),
                None if self.running.len() >= MAX_WATCHES => continue,
                None => {}
            }
            let running = Running { path: resource.path.clone(), task: self.spawn(resource, begun.clone()) };
            self.running.insert(key, running);
        }
        self.output.watching(self.running.len());
    }

    fn spawn(&mut self, resource: Resource, begun: Option<Arc<Begun>>) -> AbortHandle {
        let (client, output) = (self.client.clone(), self.output.clone());
        let (others, lists) = (Arc::clone(&self.others), Arc::clone(&self.lists));
        self.tasks.spawn(async move {
            let watcher = Watcher {
                client: &client,
                resource: &resource,
                output: output.of(&resource),
                others: &others,
                lists: &lists,
            };
            let settled = || {
                if let Some(all) = begun.as_deref().and_then(Begun::settle_one) {
                    output.has_begun(all);
                }
            };
            let _ = watcher.run(settled).await;
            resource
        })
    }

    fn end(&mut self, ended: Option<Resource>) {
        let is_it = |resource: &Resource| self.running.get(&resource.key()).is_some_and(|it| it.path == resource.path);
        if let Some(resource) = ended.filter(is_it) {
            self.running.remove(&resource.key());
        }
        self.output.watching(self.running.len());
    }
}
