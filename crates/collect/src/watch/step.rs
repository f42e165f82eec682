//! The life of one watch as a pure state machine: list, page by page, then watch, and again when it has to.

use std::time::Duration;

/// The first wait after a failure; doubled with each further one.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// A right may be granted later, but hardly within seconds.
const FORBIDDEN_WAIT: Duration = Duration::from_mins(1);

/// What is to be asked next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// The first page of the list.
    List,
    /// A further page of the list.
    NextPage {
        /// Where the last page ended.
        token: String,
    },
    /// The changes since this version.
    Watch {
        /// The version.
        version: String,
    },
    /// Nothing: the resource is no more.
    Over,
}

/// What came of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A page of the list, at a version, with a token if there are more.
    Page { version: String, next: Option<String> },
    /// The stream of changes has begun; only told, never an answer.
    Opened,
    /// The stream of changes ended at this version; `progress` if anything came.
    Ended { version: String, progress: bool },
    /// 410: the version or the token is too old.
    Gone,
    /// 404: the resource is no more.
    NotFound,
    /// 401 or 403.
    Forbidden,
    /// Anything else that went wrong.
    Failed,
}

/// A watch between two requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) state: State,
    pub(super) wait: Duration,
    failures: u32,
}

impl Step {
    pub(super) fn first() -> Self {
        Self { state: State::List, wait: Duration::ZERO, failures: 0 }
    }

    /// Goes on from a version that is known from before.
    pub(super) fn resume(version: String) -> Self {
        Self::go(State::Watch { version })
    }

    /// What to do after this outcome.
    pub(super) fn next(self, outcome: Outcome) -> Self {
        match outcome {
            Outcome::Page { next: Some(token), .. } => Self::go(State::NextPage { token }),
            Outcome::Page { version, next: None } | Outcome::Ended { version, progress: true } => {
                Self::go(State::Watch { version })
            }
            Outcome::Ended { version, progress: false } => self.later(State::Watch { version }),
            // Waits too: a server that is always too new for us must not be asked without end.
            Outcome::Gone => self.later(State::List),
            Outcome::NotFound => Self::go(State::Over),
            Outcome::Forbidden => Self { state: State::List, wait: FORBIDDEN_WAIT, failures: 0 },
            Outcome::Failed | Outcome::Opened => {
                let same = self.state.clone();
                self.later(same)
            }
        }
    }

    fn go(state: State) -> Self {
        Self { state, wait: Duration::ZERO, failures: 0 }
    }

    fn later(self, state: State) -> Self {
        let doubled = FIRST_WAIT.saturating_mul(1 << self.failures.min(10));
        Self { state, wait: doubled.min(LONGEST_WAIT), failures: self.failures + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watching(version: &str) -> State {
        State::Watch { version: version.to_owned() }
    }

    fn ended(version: &str, progress: bool) -> Outcome {
        Outcome::Ended { version: version.to_owned(), progress }
    }

    #[test]
    fn pages_are_listed_to_the_end_and_then_watched() {
        let more = Outcome::Page { version: "7".to_owned(), next: Some("t".to_owned()) };
        let step = Step::first().next(more);
        assert_eq!(step.state, State::NextPage { token: "t".to_owned() });
        let last = Outcome::Page { version: "7".to_owned(), next: None };
        assert_eq!(step.next(last).state, watching("7"));
    }

    #[test]
    fn a_stream_that_ends_is_resumed_where_it_was() {
        let step = Step::first().next(ended("9", true));
        assert_eq!((step.state, step.wait), (watching("9"), Duration::ZERO));
    }

    #[test]
    fn a_version_that_is_gone_is_listed_anew() {
        let step = Step::first().next(ended("9", true)).next(Outcome::Gone);
        assert_eq!(step.state, State::List);
        assert!(step.wait > Duration::ZERO);
    }

    #[test]
    fn failures_wait_longer_each_time_up_to_a_limit_and_keep_their_place() {
        let mut step = Step::first().next(ended("9", true));
        let mut waits = Vec::new();
        for _ in 0..12 {
            step = step.next(Outcome::Failed);
            assert_eq!(step.state, watching("9"));
            waits.push(step.wait);
        }
        assert!(waits.is_sorted() && waits[0] < waits[1]);
        assert_eq!(waits.last(), Some(&LONGEST_WAIT));
        assert_eq!(step.next(ended("10", true)).next(Outcome::Failed).wait, FIRST_WAIT);
    }

    #[test]
    fn an_empty_stream_is_not_asked_for_again_at_once() {
        assert!(Step::first().next(ended("9", false)).wait > Duration::ZERO);
    }

    #[test]
    fn a_resource_that_is_no_more_is_over() {
        assert_eq!(Step::first().next(Outcome::NotFound).state, State::Over);
    }
}
