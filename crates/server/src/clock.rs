//! The one place of the server that reads the clock.

use std::time::{SystemTime, UNIX_EPOCH};

use clew_model::Time;

/// The moment it is.
pub(crate) fn now() -> Time {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_nanos(i64::try_from(elapsed.as_nanos()).unwrap_or(i64::MAX))
}

/// Nanoseconds as the milliseconds of an answer.
#[expect(clippy::cast_precision_loss, reason = "durations are told to a microsecond, not to a bit")]
pub(crate) fn millis(nanos: i64) -> f64 {
    nanos as f64 / 1e6
}
