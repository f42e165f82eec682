//! Who holds the Lease, decided. Pure: the clock and what the API server says come in.
//!
//! As client-go does it: whether a Lease has expired is judged by how long it has been seen unchanged, on one's own clock,
//! so that clocks need not agree; and whoever holds it stops in time before another could take it.

use std::time::Duration;

/// How long things take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terms {
    /// How long the others wait after a renewal before they take the Lease.
    pub(super) duration: Duration,
    /// How long the holder acts after it began its last renewal: shorter, by what a request under way may take to stop.
    pub(super) deadline: Duration,
    /// How often it is looked at and renewed.
    pub(super) retry: Duration,
}

impl Default for Terms {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { duration: seconds(8), deadline: seconds(5), retry: seconds(1) }
    }
}

/// What the Lease says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Written {
    /// Empty if it was given back.
    pub(super) holder: String,
    /// How long its holder asked for.
    pub(super) duration: Duration,
    /// Changes with each renewal, in nanoseconds of the holder's clock: only ever compared for being the same.
    pub(super) renewed: i128,
}

/// What to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Take it, or renew it; if it is new, the number of holders grows.
    Take {
        /// Whether another held it before.
        anew: bool,
    },
    /// Another holds it.
    Wait,
}

/// One who wants the Lease.
#[derive(Debug)]
pub(super) struct Candidate {
    me: String,
    terms: Terms,
    seen: Option<(Written, Duration)>,
    /// Until when this one may act.
    until: Option<Duration>,
}

impl Candidate {
    pub(super) fn new(me: String, terms: Terms) -> Self {
        Self { me, terms, seen: None, until: None }
    }

    /// What to do, given what the Lease says at this time; none if there is no Lease yet.
    pub(super) fn look(&mut self, written: Option<Written>, now: Duration) -> Turn {
        let Some(written) = written else { return Turn::Take { anew: true } };
        if self.seen.as_ref().is_none_or(|(known, _)| *known != written) {
            self.seen = Some((written.clone(), now));
        }
        if written.holder == self.me {
            return Turn::Take { anew: false };
        }
        // Whoever holds it now, it is not this one.
        self.until = None;
        let since = self.seen.as_ref().map_or(now, |(_, since)| *since);
        let is_over = written.holder.is_empty() || now >= since.saturating_add(written.duration);
        if is_over { Turn::Take { anew: true } } else { Turn::Wait }
    }

    /// It was taken or renewed by a request that began at this time.
    pub(super) fn took(&mut self, began: Duration) {
        self.until = Some(began.saturating_add(self.terms.deadline));
    }

    /// Another was faster: what it wrote is seen at the next look.
    pub(super) fn lost(&mut self) {
        self.until = None;
    }

    /// Until when this one may act; none if it may not.
    pub(super) fn until(&self) -> Option<Duration> {
        self.until
    }

    /// Who held it when it was last seen.
    pub(super) fn holder(&self) -> &str {
        self.seen.as_ref().map_or("", |(written, _)| &written.holder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn candidate(name: &str) -> Candidate {
        Candidate::new(name.to_owned(), Terms::default())
    }

    fn written(holder: &str, renewed: i128) -> Written {
        Written { holder: holder.to_owned(), duration: 8 * SECOND, renewed }
    }

    #[test]
    fn a_lease_that_nobody_has_is_taken_at_once() {
        assert_eq!(candidate("a").look(None, SECOND), Turn::Take { anew: true });
        assert_eq!(candidate("a").look(Some(written("", 5)), SECOND), Turn::Take { anew: true });
    }

    #[test]
    fn a_lease_is_taken_only_when_it_was_seen_unchanged_for_its_duration() {
        let mut b = candidate("b");
        // However old its renewal says it is: the clocks need not agree.
        assert_eq!(b.look(Some(written("a", 0)), 100 * SECOND), Turn::Wait);
        assert_eq!(b.look(Some(written("a", 1)), 107 * SECOND), Turn::Wait);
        assert_eq!(b.look(Some(written("a", 1)), 114 * SECOND), Turn::Wait);
        assert_eq!(b.look(Some(written("a", 1)), 115 * SECOND), Turn::Take { anew: true });
    }

    #[test]
    fn a_holder_renews_and_stops_before_another_can_take_it() {
        let (mut a, mut b) = (candidate("a"), candidate("b"));
        assert_eq!(a.look(None, 10 * SECOND), Turn::Take { anew: true });
        a.took(10 * SECOND);
        // The other sees the renewal at the earliest when it began.
        assert_eq!(b.look(Some(written("a", 1)), 10 * SECOND), Turn::Wait);
        let until = a.until().expect("it leads");
        assert_eq!(b.look(Some(written("a", 1)), until), Turn::Wait);
        assert_eq!(b.look(Some(written("a", 1)), until + 2 * SECOND), Turn::Wait, "what is under way has time to end");
        assert_eq!(b.look(Some(written("a", 1)), 18 * SECOND), Turn::Take { anew: true });
        assert_eq!(a.look(Some(written("a", 1)), 12 * SECOND), Turn::Take { anew: false });
        a.took(12 * SECOND);
        assert_eq!(a.until(), Some(17 * SECOND));
    }

    #[test]
    fn one_that_was_stopped_for_long_finds_that_it_no_longer_leads() {
        let mut a = candidate("a");
        a.look(None, SECOND);
        a.took(SECOND);
        // Stopped here; the clock went on.
        let now = 60 * SECOND;
        assert!(a.until().is_none_or(|until| until <= now));
        assert_eq!(a.look(Some(written("b", 7)), now), Turn::Wait);
        assert_eq!((a.until(), a.holder()), (None, "b"));
    }

    #[test]
    fn a_write_that_was_refused_ends_the_leadership() {
        let mut a = candidate("a");
        a.look(None, SECOND);
        a.took(SECOND);
        a.lost();
        assert_eq!(a.until(), None);
    }
}
