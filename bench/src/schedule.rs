//! When each deployment happens, and which resourceVersions that gives.

use clew_model::Time;
use rustc_hash::FxHashMap;

const SECOND: i64 = 1_000_000_000;
const MICROSECOND: i64 = 1_000;

/// When each of many copies of one history happens.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// How many copies there are.
    pub copies: u32,
    /// The time from the beginning of one copy to that of the next, in nanoseconds.
    pub stagger: i64,
    /// The first moment of the history that is copied.
    begin: Time,
    /// When each version of the history that is copied came into being.
    made: FxHashMap<u64, i64>,
}

impl Schedule {
    /// The time from the beginning of one deployment to that of the next: five begin every second, and since each
    /// lasts about 17 s, some 85 are under way at any time.
    pub const STAGGER: i64 = 200_000_000;
    /// How often a weaver is asked for what changed, in the time of the facts.
    pub const ADVANCE: i64 = 250_000_000;

    /// Copies that begin one after the other.
    ///
    /// `seen` tells when each version of the original was first seen.
    pub fn new(copies: u32, stagger: i64, begin: Time, seen: impl IntoIterator<Item = (u64, Time)>) -> Self {
        let mut seen: Vec<(u64, Time)> = seen.into_iter().collect();
        seen.sort_unstable();
        seen.dedup_by_key(|(version, _)| *version);
        let mut made = FxHashMap::default();
        // A version that is seen late was still made before the next one.
        let mut next = i64::MAX;
        for (version, time) in seen.into_iter().rev() {
            let at = (time.since(begin) / MICROSECOND).min(next - 1);
            made.insert(version, at);
            next = at;
        }
        let lowest = made.values().copied().min().unwrap_or(0);
        for at in made.values_mut() {
            *at += 1 - lowest.min(0);
        }
        Self { copies, stagger, begin, made }
    }

    /// A moment of the original in one of its copies; what has whole seconds keeps them.
    pub fn time(&self, time: Time, copy: u32) -> Time {
        let later = time.saturating_add(self.stagger * i64::from(copy));
        let nanos = time.as_nanos();
        if nanos % SECOND == 0 { later.saturating_sub(later.as_nanos() % SECOND) } else { later }
    }

    /// A version of the original in one of its copies: like etcd's, versions grow with time over all copies.
    pub fn version(&self, version: u64, copy: u32) -> u64 {
        let Some(made) = self.made.get(&version) else { return version };
        let at = made + self.stagger / MICROSECOND * i64::from(copy);
        at.unsigned_abs() * u64::from(self.copies) + u64::from(copy)
    }

    /// The first moment of the original.
    pub fn begin(&self) -> Time {
        self.begin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_grow_with_time_over_all_copies() {
        let begin = Time::from_nanos(1_000 * SECOND);
        let at = |millis: i64| begin.saturating_add(millis * 1_000_000);
        // Version 12 was seen before 11, and 13 together with it.
        let schedule = Schedule::new(4, 20_000_000, begin, [(10, at(0)), (11, at(9)), (12, at(5)), (13, at(5))]);
        let mut versions = Vec::new();
        for copy in 0..4 {
            versions.extend([10, 11, 12, 13].map(|version| schedule.version(version, copy)));
        }
        assert!(versions.windows(2).all(|pair| pair[0] < pair[1]), "{versions:?}");
    }

    #[test]
    fn whole_seconds_stay_whole() {
        let schedule = Schedule::new(4, 300_000_000, Time::from_nanos(0), []);
        assert_eq!(schedule.time(Time::from_nanos(5 * SECOND), 2), Time::from_nanos(5 * SECOND));
        assert_eq!(schedule.time(Time::from_nanos(5 * SECOND + 7), 2), Time::from_nanos(5 * SECOND + 600_000_007));
    }
}
