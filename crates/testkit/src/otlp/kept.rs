//! What the sink has received, shared between its thread and the test.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use tonic::Code;
use tonic::metadata::MetadataMap;

/// One request as it arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// The headers, by gRPC's name for them.
    pub metadata: MetadataMap,
    /// The message.
    pub request: ExportTraceServiceRequest,
}

#[derive(Debug, Default)]
pub(super) struct Kept {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) received: Vec<Received>,
    pub(super) connections: usize,
    /// The code to refuse with; nothing is kept meanwhile.
    pub(super) refusal: Option<Code>,
    pub(super) refused: usize,
}

impl Kept {
    /// Locked even after a test panicked elsewhere: the state is only ever added to.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits until the condition holds; tells whether it does.
    pub(super) fn wait(&self, timeout: Duration, mut holds: impl FnMut(&State) -> bool) -> bool {
        let end = Instant::now() + timeout;
        let mut state = self.lock();
        while !holds(&state) {
            let Some(left) = end.checked_duration_since(Instant::now()) else {
                return false;
            };
            let woken = self.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}
