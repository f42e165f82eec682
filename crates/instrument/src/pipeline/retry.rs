//! When a batch is tried again. Pure: the clock and the dice come in.

use super::settings::Retrying;
use std::time::Duration;

/// The pauses between the attempts for one batch.
pub(super) struct Backoff {
    settings: Retrying,
    next: Duration,
}

impl Backoff {
    pub(super) fn new(settings: Retrying) -> Self {
        Self { settings, next: settings.first }
    }

    /// The pause before the next attempt, or none when the time is up. `dice` is between 0 and 1.
    pub(super) fn pause(&mut self, spent: Duration, asked: Option<Duration>, dice: f64) -> Option<Duration> {
        if spent >= self.settings.give_up {
            return None;
        }
        // Half to the whole of the pause: many clients that were refused together come back apart.
        let jittered = self.next.mul_f64(0.5 + 0.5 * dice.clamp(0.0, 1.0));
        self.next = (self.next * 2).min(self.settings.longest);
        let pause = asked.map_or(jittered, |asked| asked.max(jittered));
        let left = self.settings.give_up.saturating_sub(spent);
        Some(pause.min(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Retrying = Retrying {
        first: Duration::from_millis(100),
        longest: Duration::from_millis(400),
        give_up: Duration::from_secs(2),
    };

    #[test]
    fn pauses_double_up_to_the_longest() {
        let mut backoff = Backoff::new(SETTINGS);
        let pauses: Vec<_> = (0..4).filter_map(|_| backoff.pause(Duration::ZERO, None, 1.0)).collect();
        assert_eq!(pauses, [100, 200, 400, 400].map(Duration::from_millis));
    }

    #[test]
    fn jitter_spreads_a_pause_over_its_upper_half() {
        let pause = |dice| Backoff::new(SETTINGS).pause(Duration::ZERO, None, dice);
        assert_eq!(pause(0.0), Some(Duration::from_millis(50)));
        assert_eq!(pause(0.5), Some(Duration::from_millis(75)));
    }

    #[test]
    fn the_collectors_own_pause_is_kept() {
        let pause = Backoff::new(SETTINGS).pause(Duration::ZERO, Some(Duration::from_secs(1)), 0.0);
        assert_eq!(pause, Some(Duration::from_secs(1)));
    }

    #[test]
    fn nobody_tries_for_ever() {
        let mut backoff = Backoff::new(SETTINGS);
        assert_eq!(backoff.pause(Duration::from_secs(2), Some(Duration::from_secs(9)), 0.0), None);
        let last = backoff.pause(Duration::from_millis(1990), Some(Duration::from_secs(9)), 0.0);
        assert_eq!(last, Some(Duration::from_millis(10)));
    }
}
