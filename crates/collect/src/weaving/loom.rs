//! The loop that weaves: takes what is durable, gives journeys to the store, and keeps checkpoints.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clew_store::{Checkpoint, Position, Store, StoreError, Woven};
use clew_weave::Config;
use compact_str::CompactString;
use tokio::sync::{mpsc, watch};

use super::clock::Clock;
use super::clusters::Clusters;
use super::counts::WeavingCounts;
use crate::intake::{What, Work};

/// How often journeys are built, at most.
const TURN: Duration = Duration::from_secs(1);
/// After a turn, this many times its own length passes before the next: building never takes more than a fifth of a core.
const REST: u32 = 4;
/// How often the weavers' memory is kept, at most.
const CHECKPOINT: Duration = Duration::from_mins(1);
/// How many records are replayed at a time.
const REPLAY: usize = 1024;

/// How to weave.
#[derive(Debug, Clone)]
pub struct LoomOptions {
    /// The weavers' settings; the cluster's name in it is the one of spans that name none.
    pub config: Config,
    /// What time it is.
    pub clock: Clock,
}

/// Weaves what is durable.
pub struct Loom {
    store: Arc<dyn Store>,
    clusters: Clusters,
    /// The cluster of spans that name none.
    cluster: CompactString,
    position: Position,
    /// The longest that something waited, since the last turn.
    lag: Duration,
    clock: Clock,
    counts: WeavingCounts,
    listener: Box<dyn Fn(&Woven) + Send>,
}

impl Loom {
    /// Goes on where the store's last checkpoint ends.
    pub async fn resume(store: Arc<dyn Store>, options: LoomOptions) -> Result<Self, StoreError> {
        let cluster = CompactString::from(options.config.cluster.as_str());
        let checkpoint = store.resume().await?;
        let mut loom = Self {
            store,
            clusters: Clusters::new(options.config),
            cluster,
            position: checkpoint.position,
            lag: Duration::ZERO,
            clock: options.clock,
            counts: WeavingCounts::default(),
            listener: Box::new(|_| {}),
        };
        for (cluster, snapshot) in checkpoint.snapshots {
            if loom.clusters.restore(cluster, &snapshot).is_err() {
                // Of another version of clew: what the log still holds is woven anew.
                loom.position = Position::default();
            }
        }
        loom.replay().await?;
        Ok(loom)
    }

    /// Calls this with everything that is woven, before the store has it.
    pub fn listen(&mut self, listener: impl Fn(&Woven) + Send + 'static) {
        self.listener = Box::new(listener);
    }

    /// What can be seen of it while it runs.
    pub fn counts(&self) -> WeavingCounts {
        self.counts.clone()
    }

    async fn replay(&mut self) -> Result<(), StoreError> {
        loop {
            let records = self.store.replay(self.position, REPLAY).await?;
            if records.is_empty() {
                return Ok(());
            }
            for (position, record) in records {
                match What::of(record) {
                    Ok(Some(what)) => self.take(Work { position, since: Instant::now(), what }),
                    Ok(None) => {}
                    Err(_) => self.counts.update(|state| state.dropped += 1),
                }
                self.position = position;
            }
        }
    }

    /// Weaves until it is told to stop, or every sender of work is gone; then weaves what waits, and keeps a last checkpoint.
    pub async fn run(mut self, mut work: mpsc::Receiver<Work>, mut stop: watch::Receiver<bool>) {
        let mut next_turn = Instant::now() + TURN;
        let mut next_checkpoint = Instant::now() + CHECKPOINT;
        loop {
            tokio::select! {
                biased;
                () = tokio::time::sleep_until(next_turn.into()) => {
                    next_turn = Instant::now() + self.turn(&work).await;
                    if Instant::now() >= next_checkpoint {
                        next_checkpoint = Instant::now() + self.checkpoint().await;
                    }
                }
                piece = work.recv() => match piece {
                    Some(piece) => self.take(piece),
                    None => break,
                },
                // Nobody can hand in any more; what was handed in still comes, and then nothing.
                _ = stop.wait_for(|stop| *stop), if !work.is_closed() => work.close(),
            }
        }
        self.turn(&work).await;
        self.checkpoint().await;
    }

    fn take(&mut self, work: Work) {
        let Work { position, since, what } = work;
        self.lag = self.lag.max(since.elapsed());
        let dropped = match what {
            What::Facts(cluster, facts) => {
                let count = facts.len() as u64;
                if self.clusters.apply(&cluster, facts) { 0 } else { count }
            }
            What::Spans(native) => self.clusters.apply_native(native, &self.cluster),
        };
        if dropped > 0 {
            self.counts.update(|state| state.dropped += dropped);
        }
        self.position = self.position.max(position);
    }

    /// Gives what changed to the store; says how long to wait until the next time.
    async fn turn(&mut self, work: &mpsc::Receiver<Work>) -> Duration {
        let began = Instant::now();
        for woven in self.clusters.advance(self.clock.now()) {
            (self.listener)(&woven);
            if self.store.weave(woven).await.is_err() {
                self.clusters.repeat();
                self.counts.update(|state| state.refused += 1);
            }
        }
        let took = began.elapsed();
        let stats = self.clusters.stats();
        let (waiting, lag) = (work.len(), std::mem::take(&mut self.lag));
        self.counts.update(|state| {
            state.clusters = stats;
            state.turn_seconds = took.as_secs_f64();
            state.waiting = waiting;
            state.lag_seconds = lag.as_secs_f64();
        });
        TURN.max(took * REST)
    }

    /// Keeps the weavers' memory; says how long to wait until the next time.
    async fn checkpoint(&mut self) -> Duration {
        let began = Instant::now();
        let position = self.position;
        let kept = match self.clusters.snapshots() {
            Ok(snapshots) => self.store.checkpoint(Checkpoint { position, snapshots }).await.is_ok(),
            Err(_) => false,
        };
        if !kept {
            self.counts.update(|state| state.checkpoints_failed += 1);
        }
        CHECKPOINT.max(began.elapsed() * REST)
    }
}
