//! Everything on, in one process: sources to intake, intake to store and loom, store to page.

mod access;
mod called;
mod clusters;
mod doctor;
mod forward;
mod kept;
mod key;
mod own;
mod page;
mod rates;
mod receiver;
mod replicas;
mod report;
mod tls;
mod weaving;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clew_collect::intake::Intake;
use clew_collect::live::Sources;
use clew_collect::receive::Receiver;
use clew_collect::weaving::{Clock, Loom, LoomOptions};
use clew_instrument::Tracing;
use clew_model::Time;
use clew_server::App;
use clew_store::Store;
use clew_store::lake::Lake;
use clew_weave::Config;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::commands::up::Settings;

/// How many requests may be durable and not yet woven; more wait, and their senders with them.
const WAITING: usize = 1024;
/// How long those who still send or read are waited for at the end.
const GRACE: Duration = Duration::from_secs(5);

/// The time of the machine.
fn clock() -> Time {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_nanos(i64::try_from(elapsed.as_nanos()).unwrap_or(i64::MAX))
}

/// A clew that runs.
pub(crate) struct Serving {
    /// The way in.
    pub(crate) intake: Intake,
    /// The time that the weaving goes by.
    pub(crate) clock: Clock,
    /// How each source is.
    pub(crate) sources: Sources,
    /// Where the page is.
    pub(crate) page: SocketAddr,
    /// How it is spoken to: http or https.
    pub(crate) scheme: &'static str,
    lake: Arc<Lake>,
    receiver: Receiver,
    forwarding: forward::Forwarding,
    replicas: replicas::Replicas,
    own: Tracing,
    stop: watch::Sender<bool>,
    tasks: JoinSet<anyhow::Result<()>>,
    weaving: weaving::Weaving,
}

impl Serving {
    /// Opens the store, goes on weaving where it was left, and listens.
    pub(crate) async fn start(settings: &Settings) -> anyhow::Result<Self> {
        settings.check()?;
        let connections = settings.clusters.connections(settings.cluster.as_deref()).await?;
        let settings = &settings.named_by(&connections);
        let kept = kept::Kept::open(settings, &connections).await?;
        let lake = Arc::new(Lake::open(settings.lake()?).await.context("cannot open the store")?);
        let store: Arc<dyn Store> = lake.clone();
        let clock = Clock::default();
        let config = Config { cluster: settings.cluster().to_owned(), ..Config::default() };
        let mut loom = Loom::resume(Arc::clone(&store), LoomOptions { config, clock: clock.clone() }).await?;
        let counts = loom.counts();
        let app = App::new(Arc::clone(&store));
        let live = app.live.clone();
        let sources = Sources::default();
        let replicas = replicas::Replicas::join(settings, &connections, &lake, &sources)?;
        let forwarding = forward::start(settings, Arc::clone(&store), replicas.leadership())?;
        let forward = forwarding.listener();
        let users = access::users(settings, &connections, Arc::clone(&store))?;
        let learning = users.clone();
        loom.listen(move |woven| {
            // First what it takes to see it, then that there is something to see.
            if let Some(users) = &learning {
                users.learn(&woven.cluster, &woven.upserts);
            }
            live.publish(&woven.cluster, &woven.upserts);
            forward(woven);
        });
        let (work, waiting) = mpsc::channel(WAITING);
        let weaving = weaving::start(loom, waiting)?;
        let intake = Intake::new(store, work);
        let receiver = receiver::start(settings, &kept, intake.clone()).await?;
        let examined = doctor::Examined::default();
        let parts = report::Parts {
            sources: sources.clone(),
            weaving: counts,
            rates: rates::Rates::default(),
            received: Arc::new(receiver.meter()),
            examined: examined.clone(),
            standing: replicas.standing.clone(),
        };
        let app = app.reporting(Arc::new(move || parts.report()));
        let (stop, stopping) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let live_parts = clusters::parts(settings, &kept, intake.clone(), sources.clone())?;
        let webhooks =
            clusters::webhooks(settings, &kept, &live_parts).merge(replicas.router(settings, &kept, &live_parts));
        let own = own::tracing(settings.tracing_config_file.as_deref())?;
        let page = page::listen(settings, &kept, (app, users, webhooks), &own, stopping.clone(), &mut tasks).await?;
        called::start(settings, &kept, &connections, &live_parts.sources, &stopping, &mut tasks)?;
        examined.begin(&connections, &settings.clusters.watch()?, &stopping, &mut tasks);
        clusters::follow(settings, connections, &live_parts, &stopping, &mut tasks)?;
        replicas.follow((settings, &kept), &live_parts, forwarding.learner(), &stopping, &mut tasks)?;
        let scheme = kept.scheme();
        Ok(Self {
            intake,
            clock,
            sources,
            page,
            scheme,
            lake,
            receiver,
            forwarding,
            replicas,
            own,
            stop,
            tasks,
            weaving,
        })
    }

    /// Waits until something ends it: a signal, or a part that failed.
    pub(crate) async fn wait(&mut self, mut ended: watch::Receiver<bool>) -> anyhow::Result<()> {
        tokio::select! {
            _ = ended.wait_for(|ended| *ended) => Ok(()),
            Some(finished) = self.tasks.join_next() => finished.context("a part of clew ended")?,
            () = self.weaving.ended() => bail!("the weaving broke off: start clew again, and it goes on where it was"),
        }
    }

    /// Ends in the order of the flow: sources first, then the weaving, then the store; before all, another replica leads.
    pub(crate) async fn stop(mut self) -> anyhow::Result<()> {
        self.replicas.hand_over(&self.forwarding).await;
        self.stop.send_replace(true);
        self.receiver.shut_down(GRACE).await;
        let drained = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE, drained).await.is_err() {
            self.tasks.shutdown().await;
        }
        drop(self.intake);
        self.weaving.stop().await;
        self.forwarding.stop(GRACE).await;
        own::flush(self.own).await;
        self.lake.close().await.context("cannot close the store")
    }
}
