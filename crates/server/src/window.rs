//! A span of time cut into buckets of a width that people can read. Pure.

use std::time::Duration;

use clew_model::Time;
use clew_store::TimeRange;

const SECOND: i64 = 1_000_000_000;
/// Widths that people can read, in nanoseconds.
const WIDTHS: [i64; 31] = [
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    60 * SECOND,
    120 * SECOND,
    300 * SECOND,
    600 * SECOND,
    900 * SECOND,
    1800 * SECOND,
    3600 * SECOND,
    7200 * SECOND,
    3 * 3600 * SECOND,
    6 * 3600 * SECOND,
    12 * 3600 * SECOND,
    86_400 * SECOND,
    2 * 86_400 * SECOND,
    7 * 86_400 * SECOND,
    30 * 86_400 * SECOND,
    365 * 86_400 * SECOND,
];

/// Time from one moment to another, in whole buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) from: Time,
    pub(crate) to: Time,
    /// Nanoseconds; more than none.
    pub(crate) width: i64,
}

impl Window {
    /// Covers the time with about so many buckets.
    pub(crate) fn cut(from: Time, to: Time, buckets: usize) -> Self {
        let wanted = to.since(from).max(1) / i64::try_from(buckets).unwrap_or(i64::MAX).max(1);
        let width = WIDTHS.into_iter().find(|width| *width >= wanted).unwrap_or(WIDTHS[WIDTHS.len() - 1]);
        Self::of_width(from, to, width)
    }

    /// Covers the time with buckets of this width, which begin at its multiples.
    pub(crate) fn of_width(from: Time, to: Time, width: i64) -> Self {
        let width = width.max(1);
        let floor = |time: Time| Time::from_nanos(time.as_nanos().div_euclid(width).saturating_mul(width));
        let (from, last) = (floor(from), floor(to.saturating_sub(1)));
        Self { from, to: last.max(from).saturating_add(width), width }
    }

    /// How many buckets there are.
    pub(crate) fn len(&self) -> usize {
        usize::try_from(self.to.since(self.from) / self.width).unwrap_or(0)
    }

    /// The beginning of each bucket.
    pub(crate) fn starts(&self) -> impl Iterator<Item = Time> + use<> {
        let window = *self;
        (0..i64::try_from(window.len()).unwrap_or(0)).map(move |place| window.from.saturating_add(place * window.width))
    }

    /// The bucket that a moment lies in.
    pub(crate) fn place(&self, time: Time) -> Option<usize> {
        let place = time.since(self.from).div_euclid(self.width);
        usize::try_from(place).ok().filter(|place| *place < self.len())
    }

    /// The window as a store takes it.
    pub(crate) fn range(&self) -> TimeRange {
        TimeRange { from: Some(self.from), to: Some(self.to) }
    }

    /// The width as a store takes it.
    pub(crate) fn bucket(&self) -> Duration {
        Duration::from_nanos(self.width.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_hour_in_sixty_buckets_is_minutes() {
        let from: Time = "2026-01-02T03:04:05Z".parse().unwrap();
        let window = Window::cut(from, from.saturating_add(3600 * SECOND), 60);
        assert_eq!(window.width, 60 * SECOND);
        assert_eq!(window.from.to_string(), "2026-01-02T03:04:00Z");
        assert_eq!(window.len(), 61);
    }

    proptest! {
        #[test]
        fn every_moment_of_it_lies_in_a_bucket(
            from in 0_i64..2_000_000_000_000_000_000,
            length in 1_i64..10_000_000_000_000_000,
            buckets in 1_usize..500,
            part in 0.0_f64..1.0,
        ) {
            let (from, to) = (Time::from_nanos(from), Time::from_nanos(from + length));
            let window = Window::cut(from, to, buckets);
            prop_assert!(window.len() <= buckets + 2);
            #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a place inside")]
            let inside = from.saturating_add((length as f64 * part) as i64).min(to.saturating_sub(1));
            let place = window.place(inside).unwrap();
            let start = window.starts().nth(place).unwrap();
            prop_assert!(start <= inside && inside.since(start) < window.width);
        }
    }
}
