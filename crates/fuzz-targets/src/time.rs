//! RFC 3339 times.

use clew_model::Time;

/// What is read survives being written.
pub fn time(data: &[u8]) {
    let Ok(time) = Time::parse_bytes(data) else { return };
    assert_eq!(time.to_string().parse(), Ok(time));
}
