//! What the workload was asked to do: its flags, decoded.

use std::time::Duration;

/// The text that a wrong flag is answered with.
pub(crate) const USAGE: &str = "usage: workload [--print TEXT]... [--every SECONDS] [--serve PORT] \
[--unready-for SECONDS] [--sleep SECONDS] [--exit CODE]";

/// One run of the workload.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// Lines to write to standard output at the start.
    pub(crate) print: Vec<String>,
    /// Write the lines again each time this much passed.
    pub(crate) every: Option<Duration>,
    /// Serve HTTP on this port.
    pub(crate) serve: Option<u16>,
    /// Answer `/readyz` with 503 for this long.
    pub(crate) unready_for: Duration,
    /// Leave after this long.
    pub(crate) sleep: Option<Duration>,
    /// Leave with this code, at once unless `sleep` says when.
    pub(crate) exit: Option<u8>,
}

impl Plan {
    /// Reads the flags, each with its value in the next argument.
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut plan = Self::default();
        while let Some(flag) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--print" => plan.print.push(value),
                "--every" => plan.every = Some(seconds(&flag, &value)?.max(Duration::from_millis(1))),
                "--serve" => plan.serve = Some(number(&flag, &value)?),
                "--unready-for" => plan.unready_for = seconds(&flag, &value)?,
                "--sleep" => plan.sleep = Some(seconds(&flag, &value)?),
                "--exit" => plan.exit = Some(number(&flag, &value)?),
                _ => return Err(format!("unknown flag {flag}")),
            }
        }
        Ok(plan)
    }

    /// How long the workload runs by itself; `None` means until a signal.
    pub(crate) fn lasts(&self) -> Option<Duration> {
        self.sleep.or(self.exit.map(|_| Duration::ZERO))
    }
}

fn number<T: std::str::FromStr>(flag: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{flag} cannot be {value:?}: give a number in its range"))
}

fn seconds(flag: &str, value: &str) -> Result<Duration, String> {
    let seconds: f64 = number(flag, value)?;
    Duration::try_from_secs_f64(seconds).map_err(|error| format!("{flag} cannot be {value:?}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(flags: &[&str]) -> Result<Plan, String> {
        Plan::parse(flags.iter().map(ToString::to_string))
    }

    #[test]
    fn no_flags_means_wait_for_a_signal() {
        let plan = parse(&[]).unwrap();
        assert_eq!(plan, Plan::default());
        assert_eq!(plan.lasts(), None);
    }

    #[test]
    fn an_exit_code_without_sleep_leaves_at_once() {
        let plan = parse(&["--exit", "3"]).unwrap();
        assert_eq!((plan.exit, plan.lasts()), (Some(3), Some(Duration::ZERO)));
    }

    #[test]
    fn every_flag_is_understood() {
        let flags = ["--print", "a", "--every", "2", "--serve", "80", "--unready-for", "1.5", "--sleep", "9"];
        let plan = parse(&flags).unwrap();
        assert_eq!(plan.print, ["a"]);
        assert_eq!(plan.serve, Some(80));
        assert_eq!(plan.unready_for, Duration::from_millis(1500));
        assert_eq!(plan.lasts(), Some(Duration::from_secs(9)));
    }

    #[test]
    fn wrong_flags_are_refused_with_their_name() {
        for flags in [&["--exit", "256"][..], &["--serve"], &["--nope", "1"], &["--sleep", "-1"], &["--sleep", "NaN"]] {
            let message = parse(flags).unwrap_err();
            assert!(message.contains(flags[0]), "{message}");
        }
    }
}
