//! The share of spans that were delivered over a window: the number an administrator can promise.

use super::snapshot::Snapshot;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The most samples that a window keeps.
const MAX_SAMPLES: usize = 1024;

/// Watches how many of the spans that were decided (delivered or lost) were delivered, over a sliding window.
///
/// ```no_run
/// # fn run(tracing: clew_instrument::Tracing) {
/// use std::time::{Duration, Instant};
/// let mut slo = clew_instrument::Slo::new(Duration::from_hours(1));
/// loop {
///     slo.observe(Instant::now(), &tracing.snapshot());
///     if slo.delivered().is_some_and(|share| share < 0.999) {
///         eprintln!("more than one span of a thousand is lost");
///     }
///     std::thread::sleep(Duration::from_mins(1));
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct Slo {
    window: Duration,
    samples: VecDeque<Sample>,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Instant,
    exported: u64,
    dropped: u64,
}

impl Slo {
    /// A window of this length.
    pub fn new(window: Duration) -> Self {
        Self { window, samples: VecDeque::new() }
    }

    /// Takes the numbers of a moment in.
    pub fn observe(&mut self, now: Instant, snapshot: &Snapshot) {
        let ledger = &snapshot.ledger;
        self.add(Sample { at: now, exported: ledger.exported, dropped: ledger.dropped_total() });
    }

    fn add(&mut self, sample: Sample) {
        self.samples.push_back(sample);
        // The oldest sample that is kept is the last one before the window, so that the window is whole.
        let outside = |samples: &VecDeque<Sample>, window| {
            samples.get(1).is_some_and(|second| sample.at.saturating_duration_since(second.at) >= window)
        };
        while outside(&self.samples, self.window) || self.samples.len() > MAX_SAMPLES {
            self.samples.pop_front();
        }
    }

    /// The share of decided spans that were delivered, between 0 and 1; none when nothing was decided.
    #[expect(clippy::cast_precision_loss, reason = "a share of more than 2^53 spans may be rounded")]
    pub fn delivered(&self) -> Option<f64> {
        let (first, last) = (self.samples.front()?, self.samples.back()?);
        let exported = last.exported.saturating_sub(first.exported);
        let dropped = last.dropped.saturating_sub(first.dropped);
        let decided = exported + dropped;
        (decided > 0).then(|| exported as f64 / decided as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slo(samples: &[(u64, u64, u64)]) -> Slo {
        let start = Instant::now();
        let mut slo = Slo::new(Duration::from_mins(1));
        for (second, exported, dropped) in samples {
            slo.add(Sample { at: start + Duration::from_secs(*second), exported: *exported, dropped: *dropped });
        }
        slo
    }

    #[test]
    fn the_share_is_that_of_the_window() {
        assert_eq!(slo(&[(0, 0, 0), (30, 75, 25)]).delivered(), Some(0.75));
    }

    #[test]
    fn losses_before_the_window_are_forgotten() {
        assert_eq!(slo(&[(0, 0, 0), (10, 0, 100), (65, 50, 100), (130, 150, 100)]).delivered(), Some(1.0));
    }

    #[test]
    fn no_span_has_no_share() {
        assert_eq!(slo(&[(0, 5, 5), (30, 5, 5)]).delivered(), None);
    }
}
