//! How long exports take, by outcome.

use crate::sync::lock;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// The bounds that the semantic conventions advise for durations, in seconds.
pub(crate) const BOUNDS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];

/// The most outcomes that are told apart.
const MAX_KINDS: usize = 32;

/// A histogram of durations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Histogram {
    pub(crate) count: u64,
    pub(crate) sum: f64,
    pub(crate) buckets: [u64; BOUNDS.len() + 1],
}

/// Histograms by outcome: none for success, or the kind of the error.
#[derive(Default)]
pub(crate) struct Durations(Mutex<ByOutcome>);

pub(crate) type ByOutcome = BTreeMap<Option<Cow<'static, str>>, Histogram>;

impl Durations {
    pub(crate) fn record(&self, took: Duration, failure: Option<Cow<'static, str>>) {
        let mut all = lock(&self.0);
        let known = all.contains_key(&failure) || all.len() < MAX_KINDS;
        let key = if known { failure } else { Some(Cow::Borrowed("other")) };
        let histogram = all.entry(key).or_default();
        let seconds = took.as_secs_f64();
        histogram.count += 1;
        histogram.sum += seconds;
        histogram.buckets[BOUNDS.partition_point(|bound| *bound < seconds)] += 1;
    }

    pub(crate) fn snapshot(&self) -> ByOutcome {
        lock(&self.0).clone()
    }
}
