//! How fast each source tells facts, from one look to the next.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clew_collect::live::{SourceKind, SourceStatus};
use compact_str::CompactString;

/// Looks that are closer than this give the rate of the former one.
const APART: Duration = Duration::from_secs(5);

/// The last look at each source. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Rates(Arc<Mutex<BTreeMap<Key, Look>>>);

type Key = (CompactString, SourceKind, CompactString);

#[derive(Clone, Copy)]
struct Look {
    at: Instant,
    count: u64,
    rate: f64,
}

impl Rates {
    /// Facts a second of a source, lately; zero at the first look.
    pub(super) fn of(&self, source: &SourceStatus, now: Instant) -> f64 {
        let mut looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (source.cluster.clone(), source.kind, source.name.clone());
        let look = looks.entry(key).or_insert(Look { at: now, count: source.count, rate: 0.0 });
        let since = now.saturating_duration_since(look.at);
        if since >= APART {
            #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
            let told = source.count.saturating_sub(look.count) as f64;
            *look = Look { at: now, count: source.count, rate: told / since.as_secs_f64() };
        }
        look.rate
    }
}

#[cfg(test)]
mod tests {
    use clew_collect::live::Sources;

    use super::*;

    #[test]
    fn a_rate_is_what_came_between_two_looks() {
        let (sources, rates, began) = (Sources::default(), Rates::default(), Instant::now());
        let pods = sources.of("prod", SourceKind::Watch, "pods");
        pods.seen(100);
        let after = |seconds| began + Duration::from_secs(seconds);
        let rate = |seconds| rates.of(&sources.list()[0], after(seconds)).round();
        assert!(rate(0) < 0.5, "nothing to compare with yet");
        pods.seen(50);
        assert!(rate(1) < 0.5, "too soon for another look");
        assert!((rate(10) - 5.0).abs() < 0.5);
        assert!((rate(12) - 5.0).abs() < 0.5, "the former one");
        assert!(rate(20) < 0.5);
    }
}
