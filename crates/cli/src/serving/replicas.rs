//! This replica among others: who leads, what the others have, and how it ends without a gap.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use axum::Router;
use bytes::Bytes;
use clew_collect::live::audit::Access;
use clew_collect::live::{Connection, Parts, Sources};
use clew_collect::replica::{self, Agreement, Campaign, Leadership, Peers, Pullers, Standing};
use clew_server::{Counter, StageReport};
use clew_store::Store;
use clew_store::lake::Lake;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::forward::Forwarding;
use super::kept::Kept;
use crate::commands::up::Settings;

/// How long the others may take to hear the last of what was done.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// This replica among others, if there are others.
pub(super) struct Replicas {
    member: Option<Member>,
    pub(super) standing: Standing,
}

struct Member {
    campaign: Campaign,
    leadership: Leadership,
    pullers: Pullers,
    lake: Arc<Lake>,
}

impl Replicas {
    /// Begins to compete for the Lease, and keeps the log for the others.
    pub(super) fn join(
        settings: &Settings,
        connections: &[Connection],
        lake: &Arc<Lake>,
        sources: &Sources,
    ) -> anyhow::Result<Self> {
        let standing = Standing::default();
        let Some(lease) = settings.replicas.lease()? else { return Ok(Self { member: None, standing }) };
        let connection = connections.first().context("--peer needs a cluster, whose Lease says which replica leads")?;
        let host = std::env::var("HOSTNAME").unwrap_or_else(|_| "clew".to_owned());
        let id = lake.id();
        let me = format!("{host}_{}", &id[id.len().saturating_sub(8)..]);
        let (campaign, leadership) = Campaign::start(connection, &lease, me, sources);
        let pullers = Pullers::open(Arc::clone(lake) as Arc<dyn Store>, &folder(settings)?);
        Ok(Self { member: Some(Member { campaign, leadership, pullers, lake: Arc::clone(lake) }), standing })
    }

    /// Whether this replica leads; none if it is alone.
    pub(super) fn leadership(&self) -> Option<Leadership> {
        self.member.as_ref().map(|member| member.leadership.clone())
    }

    /// What the other replicas ask.
    pub(super) fn router(&self, settings: &Settings, kept: &Kept, parts: &Parts) -> Router {
        let Some(member) = &self.member else { return Router::new() };
        let access = match &kept.token {
            Some(token) => Access::open().with_token(token),
            None => Access::open(),
        };
        let store: Arc<dyn Store> = Arc::clone(&member.lake) as _;
        replica::router(member.agreement(settings, parts), store, member.pullers.clone(), access)
    }

    /// Follows the others until told to stop.
    pub(super) fn follow(
        &self,
        (settings, kept): (&Settings, &Kept),
        parts: &Parts,
        delivered: impl Fn(Bytes) + Send + Sync + 'static,
        stopped: &watch::Receiver<bool>,
        tasks: &mut JoinSet<anyhow::Result<()>>,
    ) -> anyhow::Result<()> {
        let Some(member) = &self.member else { return Ok(()) };
        let peers = Peers {
            urls: settings.replicas.peers(),
            authorities: settings.replicas.peer_ca.clone().or_else(|| kept.own_authorities()),
            token: kept.token.clone(),
            agreement: member.agreement(settings, parts),
            folder: folder(settings)?,
            intake: parts.intake.clone(),
            sources: parts.sources.clone(),
            delivered: Arc::new(delivered),
        };
        let mut following = replica::follow(&peers, &self.standing, stopped)?;
        let mut stopped = stopped.clone();
        tasks.spawn(async move {
            while following.join_next().await.is_some() {}
            // Also one that follows nobody but itself runs on.
            let _ = stopped.wait_for(|stop| *stop).await;
            Ok(())
        });
        Ok(())
    }

    /// Acts outward no longer, lets the others hear what was done, and gives the Lease back.
    pub(super) async fn hand_over(&mut self, forwarding: &Forwarding) {
        let Some(member) = self.member.take() else { return };
        member.campaign.resign();
        forwarding.pause(LAST_WORDS).await;
        let last = member.lake.last();
        let heard = async {
            while !member.pullers.all_have(last) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let _ = tokio::time::timeout(LAST_WORDS, heard).await;
        member.campaign.give_back().await;
    }
}

impl Member {
    fn agreement(&self, settings: &Settings, parts: &Parts) -> Agreement {
        Agreement::new(self.lake.id(), self.lake.tables(), settings.cluster(), &parts.redactor)
    }
}

fn folder(settings: &Settings) -> anyhow::Result<std::path::PathBuf> {
    Ok(settings.data()?.join("replicas"))
}

/// How far this replica is behind each other.
pub(super) fn stages(standing: &Standing) -> Vec<StageReport> {
    let stage = |(url, peer): (String, replica::PeerState)| StageReport {
        name: format!("replica {url}"),
        queued: peer.behind,
        capacity: 0,
        lag_seconds: peer.since.map_or(0.0, |since| Instant::now().saturating_duration_since(since).as_secs_f64()),
    };
    standing.peers().into_iter().map(stage).collect()
}

/// What came from each other, and what is lost to this one.
pub(super) fn counters(standing: &Standing) -> Vec<Counter> {
    let counter = |(url, peer): (String, replica::PeerState)| {
        let label = || vec![("replica", url.clone())];
        [
            Counter {
                name: "replica_records",
                help: "Records that were taken over from another replica.",
                labels: label(),
                value: peer.records,
            },
            Counter {
                name: "replica_lacking_records",
                help: "Records of another replica that it no longer had, or that could not be read.",
                labels: label(),
                value: peer.lacking,
            },
        ]
    };
    standing.peers().into_iter().flat_map(counter).collect()
}
