//! A span of time cut into equal steps.

use std::time::Duration;

use clew_model::Time;
use clew_store::TimeRange;

use crate::trace::{Asked, Fault};
use crate::traceql::duration_nanos;

/// Steps of one answer at most.
const MOST: i64 = 11_000;
/// Steps of one answer if the caller does not say how long one is.
const USUAL: i64 = 120;
const SECOND: i64 = 1_000_000_000;
/// How far back is looked if the caller does not say.
const USUAL_RANGE: i64 = 3600 * SECOND;

/// A span of time cut into equal steps, which begin at multiples of their length since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Steps {
    /// Where the first begins, in nanoseconds since the epoch.
    pub(super) from: i64,
    /// How long one is, in nanoseconds.
    pub(super) length: i64,
    /// How many there are.
    pub(super) count: usize,
}

impl Steps {
    /// The steps that a request asks for.
    pub(super) fn asked(asked: &Asked, now: Time) -> Result<Self, Fault> {
        let (from, to) = ends(asked, now)?;
        let usual = ((to - from) / USUAL).max(SECOND);
        let length = match asked.get("step") {
            None => usual / SECOND * SECOND,
            Some(text) => step(text)
                .ok_or_else(|| Fault::bad_request(format!("parameter step: {text:?} is not a duration such as 60s")))?,
        };
        let first = from.div_euclid(length) * length;
        let count = (to - first + length - 1).div_euclid(length);
        if count > MOST {
            let message = format!(
                "parameter step: the time has {count} steps of {length} ns, more than {MOST}: ask for longer ones"
            );
            return Err(Fault::bad_request(message));
        }
        Ok(Self { from: first, length, count: usize::try_from(count).unwrap_or_default() })
    }

    /// One step for all the time that a request asks for.
    pub(super) fn whole(asked: &Asked, now: Time) -> Result<Self, Fault> {
        let (from, to) = ends(asked, now)?;
        Ok(Self { from, length: to - from, count: 1 })
    }

    /// All the time.
    pub(super) fn range(&self) -> TimeRange {
        let to = self.start(self.count);
        TimeRange { from: Some(Time::from_nanos(self.from)), to: Some(Time::from_nanos(to)) }
    }

    /// How long one step is.
    pub(super) fn duration(&self) -> Duration {
        Duration::from_nanos(self.length.unsigned_abs())
    }

    /// Which step a moment is in.
    pub(super) fn place(&self, moment: Time) -> Option<usize> {
        let place = (moment.as_nanos().checked_sub(self.from)?).div_euclid(self.length);
        usize::try_from(place).ok().filter(|place| *place < self.count)
    }

    /// Where a step begins, in nanoseconds since the epoch.
    pub(super) fn start(&self, place: usize) -> i64 {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        self.from.saturating_add(self.length.saturating_mul(place))
    }
}

fn ends(asked: &Asked, now: Time) -> Result<(i64, i64), Fault> {
    let range = asked.range()?;
    let to = range.to.unwrap_or(now).as_nanos();
    let since = asked.duration("since")?.unwrap_or(USUAL_RANGE);
    let from = range.from.map_or(to.saturating_sub(since), Time::as_nanos);
    if from >= to || from < 0 {
        return Err(Fault::bad_request("parameter start: it is not before end"));
    }
    Ok((from, to))
}

fn step(text: &str) -> Option<i64> {
    let seconds = || text.parse::<f64>().ok().filter(|seconds| (0.001..1e9).contains(seconds));
    #[allow(clippy::cast_possible_truncation, reason = "checked to be small")]
    let nanos = duration_nanos(text).or_else(|| seconds().map(|seconds| (seconds * 1e9) as i64))?;
    (nanos >= SECOND / 1000).then_some(nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_begin_at_multiples_of_their_length() {
        let steps = Steps { from: 120 * SECOND, length: 60 * SECOND, count: 3 };
        assert_eq!(steps.place(Time::from_nanos(119 * SECOND)), None);
        assert_eq!(steps.place(Time::from_nanos(120 * SECOND)), Some(0));
        assert_eq!(steps.place(Time::from_nanos(299 * SECOND)), Some(2));
        assert_eq!(steps.place(Time::from_nanos(300 * SECOND)), None);
        assert_eq!(steps.range().to, Some(Time::from_nanos(300 * SECOND)));
    }

    #[test]
    fn a_step_is_a_duration_or_seconds() {
        assert_eq!(step("1m"), Some(60 * SECOND));
        assert_eq!(step("30"), Some(30 * SECOND));
        assert_eq!(step("0"), None);
        assert_eq!(step("x"), None);
    }
}
