//! Forwarding, running.

use std::sync::Arc;
use std::time::Duration;

use clew_model::TraceId;
use clew_store::{Store, Woven};
use clew_weave::State;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::counts::{Forwarded, Shared};
use super::gather::{Gather, MAX_WAITING};
use super::lane::Lane;
use super::sent::Sent;
use super::settings::Settings;
use crate::CollectError;

/// The file that remembers what went out.
const SENT: &str = "forwarded";

/// Forwards journeys until it is shut down.
pub struct Forwarder {
    ended: mpsc::Sender<TraceId>,
    lanes: Vec<Lane>,
    counts: Shared<Forwarded>,
    gathering: (JoinSet<()>, watch::Sender<bool>),
    sending: (JoinSet<()>, watch::Sender<bool>),
}

impl Forwarder {
    /// Opens the folder and begins with what waits in it.
    pub fn start(settings: &Settings, store: Arc<dyn Store>) -> Result<Self, CollectError> {
        let mut sending = (JoinSet::new(), watch::Sender::new(false));
        let lanes = settings.endpoints.iter();
        let lanes = lanes.map(|endpoint| Lane::start(endpoint, settings, sending.1.subscribe(), &mut sending.0));
        let lanes = lanes.collect::<Result<Vec<_>, _>>()?;
        let path = settings.folder.join(SENT);
        let failed = |source| CollectError::Write { path: path.clone(), source };
        std::fs::create_dir_all(&settings.folder).map_err(failed)?;
        let sent = Shared::new(Sent::open(&path).map_err(failed)?);
        let counts = Shared::new(Forwarded::default());
        let (ended, receiver) = mpsc::channel(MAX_WAITING);
        let mut gathering = (JoinSet::new(), watch::Sender::new(false));
        let gather = Gather {
            store,
            lanes: lanes.clone(),
            counts: counts.clone(),
            sent,
            settle: settings.settle,
            batch: settings.batch,
        };
        gathering.0.spawn(gather.run(receiver, gathering.1.subscribe()));
        Ok(Self { ended, lanes, counts, gathering, sending })
    }

    /// What to call with everything that is woven. Never blocks; what finds no room is counted.
    pub fn listener(&self) -> impl Fn(&Woven) + Send + Sync + use<> {
        let (ended, counts) = (self.ended.clone(), self.counts.clone());
        move |woven| {
            for journey in woven.upserts.journeys.iter().filter(|journey| journey.state != State::Open) {
                if ended.try_send(journey.journey).is_err() {
                    counts.lock().missed += 1;
                }
            }
        }
    }

    /// What was forwarded so far.
    pub fn forwarded(&self) -> Forwarded {
        forwarded(&self.counts, &self.lanes)
    }

    /// What will have been forwarded, whenever it is asked: for whoever serves metrics.
    pub fn meter(&self) -> impl Fn() -> Forwarded + Send + Sync + 'static {
        let (counts, lanes) = (self.counts.clone(), self.lanes.clone());
        move || forwarded(&counts, &lanes)
    }

    /// Puts what has not settled on disk, and sends for so long; the rest goes out after the next start.
    pub async fn shut_down(mut self, within: Duration) -> Forwarded {
        self.gathering.1.send_replace(true);
        let lanes = self.lanes.clone();
        let out = async {
            while self.gathering.0.join_next().await.is_some() {}
            while !lanes.iter().all(Lane::is_empty) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let _ = tokio::time::timeout(within, out).await;
        self.sending.1.send_replace(true);
        self.sending.0.shutdown().await;
        forwarded(&self.counts, &self.lanes)
    }
}

fn forwarded(counts: &Shared<Forwarded>, lanes: &[Lane]) -> Forwarded {
    Forwarded { endpoints: lanes.iter().map(Lane::counts).collect(), ..counts.lock().clone() }
}
