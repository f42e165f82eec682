//! RFC 3339 times.

use clew_model::Time;

pub(crate) const SEEDS: &[&str] = &[
    "2026-07-14T12:34:56.789012345Z",
    "2026-07-14 14:34:56.7+02:00",
    "2016-12-31T23:59:60Z",
    "1677-09-21T00:12:43.145224192Z",
    "2262-04-11T23:47:16.854775807-00:00",
];

/// What is read survives being written.
pub fn time(data: &[u8]) {
    let Ok(time) = Time::parse_bytes(data) else { return };
    assert_eq!(time.to_string().parse(), Ok(time));
}
