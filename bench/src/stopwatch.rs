//! A clock that counts only the time in which this thread ran, so that a busy machine does not change the figures.

use rustix::time::{ClockId, clock_gettime};

/// Adds up the processor time of what it is asked to watch.
#[derive(Debug, Default, Clone, Copy)]
pub struct Stopwatch {
    nanos: i64,
}

impl Stopwatch {
    /// Runs something, and adds the processor time that it took.
    pub fn time<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let start = thread_nanos();
        let result = run();
        self.nanos += thread_nanos() - start;
        result
    }

    /// The seconds so far.
    pub fn seconds(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a benchmark lasts hours at most")]
        let nanos = self.nanos as f64;
        nanos / 1e9
    }
}

fn thread_nanos() -> i64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}
