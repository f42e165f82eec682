//! The pauses between attempts. Pure: the dice come in.

use std::time::Duration;

/// Pauses that grow, up to a longest one.
#[derive(Debug)]
pub(super) struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    pub(super) fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, next: first }
    }

    /// The pause after a failure; never shorter than the endpoint asked for. `dice` is between 0 and 1.
    pub(super) fn pause(&mut self, asked: Option<Duration>, dice: f64) -> Duration {
        // Half to the whole of the pause: those who were refused together come back apart.
        let jittered = self.next.mul_f64(0.5 + 0.5 * dice.clamp(0.0, 1.0));
        self.next = (self.next * 2).min(self.longest);
        asked.map_or(jittered, |asked| asked.min(self.longest).max(jittered))
    }

    /// It went well: the next failure is a first one.
    pub(super) fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn pauses_grow_with_jitter_and_start_anew() {
        let mut backoff = Backoff::new(100 * MS, 300 * MS);
        let pauses: Vec<_> = [0.0, 1.0, 1.0, 1.0].into_iter().map(|dice| backoff.pause(None, dice)).collect();
        assert_eq!(pauses, [50 * MS, 200 * MS, 300 * MS, 300 * MS]);
        backoff.reset();
        assert_eq!(backoff.pause(None, 1.0), 100 * MS);
    }

    #[test]
    fn the_endpoint_may_ask_for_more_but_not_for_ever() {
        let mut backoff = Backoff::new(100 * MS, 300 * MS);
        assert_eq!(backoff.pause(Some(250 * MS), 0.0), 250 * MS);
        assert_eq!(backoff.pause(Some(Duration::from_hours(9)), 0.0), 300 * MS);
    }
}
