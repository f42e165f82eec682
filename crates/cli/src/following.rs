//! Following journeys until they are over: how they stand, and what a command ends with.

use std::process::ExitCode;
use std::time::Duration;

use clew_weave::{Journey, State};

/// How often a clew is asked.
pub(crate) const EVERY: Duration = Duration::from_millis(500);

/// How a journey stands, in words.
pub(crate) fn standing(journey: &Journey) -> String {
    #[expect(clippy::cast_precision_loss, reason = "seconds for people")]
    let seconds = journey.end.since(journey.start) as f64 / 1e9;
    let waits = journey.waiting_on.as_ref().map(|waits| format!(", waits on {}: {}", waits.reason, waits.message));
    let waits = waits.unwrap_or_default();
    match journey.state {
        State::Open => format!("on its way{waits}"),
        State::Converged => format!("converged in {seconds:.1} s"),
        State::Failed => format!("failed after {seconds:.1} s{waits}"),
        State::Stuck => format!("stuck{waits}"),
    }
}

/// What a command ends with that waited for these.
pub(crate) fn code<'a>(journeys: impl IntoIterator<Item = &'a Journey>) -> ExitCode {
    let states: Vec<State> = journeys.into_iter().map(|journey| journey.state).collect();
    if states.contains(&State::Failed) {
        return ExitCode::from(3);
    }
    if states.contains(&State::Stuck) { ExitCode::from(4) } else { ExitCode::SUCCESS }
}

/// Says that not everything is over, and what a command ends with then.
pub(crate) fn time_is_over() -> ExitCode {
    anstream::eprintln!("time is over, and not everything has converged");
    ExitCode::from(5)
}
