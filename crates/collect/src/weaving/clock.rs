//! The time that the weaving goes by: the wall's, or a recording's while one is played.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use clew_model::Time;

/// A clock that a replay can hold back. Clones are the same clock.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// Nanoseconds; zero for the wall's time.
    held: Arc<AtomicI64>,
}

impl Clock {
    /// The time on the wall.
    pub fn wall() -> Time {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Time::from_nanos(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
    }

    /// The time now.
    pub fn now(&self) -> Time {
        match self.held.load(Ordering::Relaxed) {
            0 => Self::wall(),
            nanos => Time::from_nanos(nanos),
        }
    }

    /// Holds the clock at a time.
    pub fn set(&self, time: Time) {
        self.held.store(time.as_nanos(), Ordering::Relaxed);
    }

    /// Goes by the wall again.
    pub fn release(&self) {
        self.held.store(0, Ordering::Relaxed);
    }
}
