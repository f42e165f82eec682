//! What is behind a [`Tracing`](crate::Tracing): the state that reloads swap, the queue that outlives them, the export thread.

use crate::builder::Plan;
use crate::config::TracingConfiguration;
use crate::error::Error;
use crate::export::Target;
use crate::metrics::Snapshot;
use crate::pipeline::{Queue, Worker};
use crate::propagate::Propagators;
use crate::state::State;
use crate::sync::lock;
use arc_swap::{ArcSwap, Guard};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long the last handle waits for spans when it is dropped.
const DROP_WAIT: Duration = Duration::from_secs(5);
/// How long the export thread of an old configuration may try with its last batch.
const HAND_OVER_WAIT: Duration = Duration::from_secs(30);

/// What every request looks at.
pub(crate) struct Live {
    pub(crate) state: State,
    pub(crate) propagators: Propagators,
}

/// The export thread and where it sends to.
#[derive(Clone, Default)]
struct Running {
    worker: Option<Arc<Worker>>,
    target: Target,
}

/// One component's tracing.
pub(crate) struct Core {
    live: ArcSwap<Live>,
    queue: Arc<Queue>,
    plan: Plan,
    /// Held while the state changes, so that two reloads do not mix.
    reloading: Mutex<()>,
    /// Held for a moment only, so that nobody who looks waits for somebody who flushes.
    running: Mutex<Running>,
}

impl Core {
    pub(crate) fn start(plan: Plan, queue: Queue) -> Result<Arc<Self>, Error> {
        let (gate, configuration) = plan.initial();
        let live = Live { state: State::Off, propagators: plan.propagators() };
        let core = Arc::new(Self {
            live: ArcSwap::from_pointee(live),
            queue: Arc::new(queue),
            plan,
            reloading: Mutex::new(()),
            running: Mutex::default(),
        });
        core.reload(gate, configuration.as_ref())?;
        crate::delivery::remember(&core);
        Ok(core)
    }

    #[inline]
    pub(crate) fn live(&self) -> Guard<Arc<Live>> {
        self.live.load()
    }

    #[inline]
    pub(crate) fn queue(&self) -> &Arc<Queue> {
        &self.queue
    }

    pub(crate) fn reload(&self, gate: bool, configuration: Option<&TracingConfiguration>) -> Result<State, Error> {
        if let Some(configuration) = configuration {
            configuration.validate("").map_err(Error::InvalidConfig)?;
        }
        let state = self.plan.state(gate, configuration);
        let _alone = lock(&self.reloading);
        // The new exporter first: if it cannot be made, all stays as it was.
        let next = match state {
            State::On(_) => Some(self.plan.job(configuration, &self.queue)?),
            State::Off | State::PassThrough => None,
        };
        let Some(job) = next else {
            // Spans that begin from here on are not recorded; what waits still goes out.
            self.set_state(state);
            let before = lock(&self.running).worker.take();
            if let Some(before) = before {
                before.stop(DROP_WAIT);
                self.queue.set_open(false);
            }
            return Ok(state);
        };
        let target = job.exporter.target();
        let worker = Some(Arc::new(Worker::start(job)?));
        self.queue.set_open(true);
        let before = std::mem::replace(&mut *lock(&self.running), Running { worker, target });
        self.set_state(state);
        if let Some(before) = before.worker {
            before.hand_over(HAND_OVER_WAIT);
        }
        Ok(state)
    }

    fn set_state(&self, state: State) {
        let live = self.live.load();
        self.live.store(Arc::new(Live { state, propagators: live.propagators }));
    }

    pub(crate) fn flush(&self, within: Duration) -> bool {
        let worker = lock(&self.running).worker.clone();
        worker.is_none_or(|worker| worker.flush(within))
    }

    pub(crate) fn shutdown(&self, within: Duration) -> bool {
        let worker = lock(&self.running).worker.take();
        let ended = worker.is_none_or(|worker| worker.stop(within));
        self.queue.set_open(false);
        ended && self.queue.ledger().in_flight == 0
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let target = lock(&self.running).target.clone();
        Snapshot::of(&self.queue, target)
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.shutdown(DROP_WAIT);
    }
}
