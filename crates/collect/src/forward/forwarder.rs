//! Forwarding, running.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use clew_model::TraceId;
use clew_store::{Store, Woven};
use clew_weave::State;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::counts::{Forwarded, Shared};
use super::gather::{Gather, Told};
use super::lane::Lane;
use super::note::Note;
use super::sent::Sent;
use super::settings::Settings;
use super::waiting::MAX_WAITING;
use crate::CollectError;

/// The file that remembers what went out.
const SENT: &str = "forwarded";
/// Notes of other replicas that may wait; what they are of is looked at later if there are more.
const NOTES: usize = 1024;

/// Forwards journeys until it is shut down.
pub struct Forwarder {
    ended: mpsc::Sender<TraceId>,
    delivered: mpsc::Sender<Vec<TraceId>>,
    lanes: Vec<Lane>,
    counts: Shared<Forwarded>,
    is_alone: bool,
    gathering: (JoinSet<()>, watch::Sender<bool>),
    sending: (JoinSet<()>, watch::Sender<bool>),
}

impl Forwarder {
    /// Opens the folder and begins with what waits in it.
    pub fn start(settings: &Settings, store: Arc<dyn Store>) -> Result<Self, CollectError> {
        let mut sending = (JoinSet::new(), watch::Sender::new(false));
        let lanes = settings.endpoints.iter();
        let lanes = lanes
            .map(|endpoint| Lane::start(endpoint, settings, Arc::clone(&store), sending.1.subscribe(), &mut sending.0));
        let lanes = lanes.collect::<Result<Vec<_>, _>>()?;
        let path = settings.folder.join(SENT);
        let failed = |source| CollectError::Write { path: path.clone(), source };
        std::fs::create_dir_all(&settings.folder).map_err(failed)?;
        let sent = Shared::new(Sent::open(&path).map_err(failed)?);
        let counts = Shared::new(Forwarded::default());
        let (ended, journeys) = mpsc::channel(MAX_WAITING);
        let (delivered, notes) = mpsc::channel(NOTES);
        let mut gathering = (JoinSet::new(), watch::Sender::new(false));
        let gather = Gather {
            store,
            lanes: lanes.clone(),
            counts: counts.clone(),
            sent,
            settle: settings.settle,
            batch: settings.batch,
            leadership: settings.leadership.clone(),
        };
        let told = Told { ended: journeys, delivered: notes, stop: gathering.1.subscribe() };
        gathering.0.spawn(gather.run(told));
        let is_alone = settings.leadership.is_none();
        Ok(Self { ended, delivered, lanes, counts, is_alone, gathering, sending })
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

    /// What to call with what another replica delivered. Never blocks.
    pub fn learner(&self) -> impl Fn(Bytes) + Send + Sync + use<> {
        let (delivered, lanes) = (self.delivered.clone(), self.lanes.clone());
        move |note| {
            let Some(note) = Note::decode(&note) else { return };
            for lane in &lanes {
                lane.learn(&note);
            }
            let _ = delivered.try_send(note.journeys);
        }
    }

    /// Waits until nothing is under way, for so long at most; for one that leads no longer.
    pub async fn pause(&self, within: Duration) {
        let quiet = async {
            while self.lanes.iter().any(Lane::is_sending) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = tokio::time::timeout(within, quiet).await;
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

    /// Puts what has not settled on disk, and sends for so long; the rest goes out after the next start. One of several
    /// replicas only ends: another goes on.
    pub async fn shut_down(mut self, within: Duration) -> Forwarded {
        self.gathering.1.send_replace(true);
        let (lanes, is_alone) = (self.lanes.clone(), self.is_alone);
        let out = async {
            while self.gathering.0.join_next().await.is_some() {}
            while is_alone && !lanes.iter().all(Lane::is_empty) {
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
