//! What connections may take.

use std::time::Duration;

/// What connections may take.
#[derive(Debug, Clone, Copy)]
pub struct ServeLimits {
    /// How many there may be at once; more are closed as they come.
    pub connections: usize,
    /// How long the head of a request may take, the first after a connection is made included.
    pub head_time: Duration,
    /// How long requests that go on may take once all is to end.
    pub farewell: Duration,
}

impl Default for ServeLimits {
    fn default() -> Self {
        Self { connections: 1024, head_time: Duration::from_secs(30), farewell: Duration::from_secs(2) }
    }
}
