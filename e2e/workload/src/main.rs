//! The test workload: one static binary that plays every part a container of the test cluster needs.
//!
//! It prints, serves HTTP (`/readyz`, and anything else as 200), fails its readiness for a while, sleeps and
//! exits with a code, as its flags say. Without `--sleep` or `--exit` it waits for SIGTERM, so it is the pause
//! container too. What must not live here: anything that needs more than std and signals.

mod plan;
mod serve;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use plan::Plan;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

fn main() -> ExitCode {
    let plan = match Plan::parse(std::env::args().skip(1)) {
        Ok(plan) => plan,
        Err(message) => {
            eprintln!("{message}\n{}", plan::USAGE);
            return ExitCode::from(2);
        }
    };
    match run(&plan) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("workload failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(plan: &Plan) -> std::io::Result<u8> {
    let started = Instant::now();
    leave_on_signal()?;
    if let Some(port) = plan.serve {
        serve::start(port, started + plan.unready_for)?;
    }
    for line in &plan.print {
        say(line);
    }
    let end = plan.lasts().map(|lasts| started + lasts);
    wait_until(end, plan);
    Ok(plan.exit.unwrap_or(0))
}

/// As process 1 of a container it must handle SIGTERM itself: the kernel's default action does not apply to it.
fn leave_on_signal() -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            std::process::exit(0);
        }
    });
    Ok(())
}

fn wait_until(end: Option<Instant>, plan: &Plan) {
    loop {
        let now = Instant::now();
        let left = end.map(|end| end.saturating_duration_since(now));
        if left == Some(Duration::ZERO) {
            return;
        }
        let tick = plan.every.unwrap_or(Duration::from_hours(1));
        std::thread::sleep(left.map_or(tick, |left| left.min(tick)));
        if plan.every.is_some() {
            plan.print.iter().for_each(|line| say(line));
        }
    }
}

/// A closed output (its reader went away) is no reason for the workload to stop.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
