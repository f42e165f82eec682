//! Journeys as a table for people.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use clew_weave::fact::Revision;
use clew_weave::{Journey, State};

/// Prints one line a journey: start, duration, state, who, what, writes, spans; below it what it waits on.
pub(crate) fn journeys(journeys: &[Journey], out: &mut impl Write) -> std::io::Result<()> {
    let rows: Vec<[String; 7]> = journeys.iter().map(row).collect();
    let head = ["START", "DURATION", "STATE", "WHO", "WHAT", "WRITES", "SPANS"].map(str::to_owned);
    let mut widths = head.each_ref().map(|cell| cell.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    line(&head, &widths, Style::new().bold(), out)?;
    for (journey, row) in journeys.iter().zip(&rows) {
        line(row, &widths, style(journey.state), out)?;
        if let Some(waiting) = &journey.waiting_on {
            writeln!(out, "  waits on {}", waiting.message)?;
        }
        for finding in &journey.findings {
            writeln!(out, "  {}: {}", finding.kind, finding.message)?;
        }
    }
    Ok(())
}

fn row(journey: &Journey) -> [String; 7] {
    let root = &journey.root;
    let slash = if root.subresource.is_empty() { "" } else { "/" };
    let place = if root.namespace.is_empty() { String::new() } else { format!("{}/", root.namespace) };
    let user = if root.user.is_empty() { &root.agent } else { &root.user };
    let who = match root.kind {
        clew_weave::RootKind::Timer => "timer".to_owned(),
        _ => short(user).to_owned(),
    };
    [
        time_of_day(&journey.start.to_string()),
        duration(journey.end.since(journey.start)),
        word(journey.state).to_owned(),
        who,
        root.revision.as_ref().map_or_else(
            || format!("{} {}{slash}{} {place}{}", root.verb, root.resource, root.subresource, root.name),
            |revision| fetched(revision, &format!("{place}{}", root.name)),
        ),
        journey.writes.len().to_string(),
        journey.spans.to_string(),
    ]
}

/// `commit 3a134df on main, fetched as flux-system/apps`.
fn fetched(revision: &Revision, object: &str) -> String {
    let what = if revision.is_commit() { "commit" } else { "revision" };
    let on = revision.name().map(|name| format!(" on {name}")).unwrap_or_default();
    format!("{what} {}{on}, fetched as {object}", revision.short())
}

/// `ci:deployer` of `system:serviceaccount:ci:deployer`.
fn short(user: &str) -> &str {
    user.strip_prefix("system:serviceaccount:").unwrap_or(user)
}

fn time_of_day(rfc3339: &str) -> String {
    let time = rfc3339.split('T').nth(1).unwrap_or(rfc3339).trim_end_matches('Z');
    let (seconds, fraction) = time.split_once('.').unwrap_or((time, ""));
    format!("{seconds}.{fraction:0<3.3}")
}

/// A duration for people: three digits are enough.
pub(crate) fn duration(nanos: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "rounded to three digits anyway")]
    let seconds = nanos as f64 / 1e9;
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{}m{:02.0}s", nanos / 60_000_000_000, s % 60.0),
        _ => format!("{}h{:02}m", nanos / 3_600_000_000_000, nanos / 60_000_000_000 % 60),
    }
}

pub(crate) fn word(state: State) -> &'static str {
    match state {
        State::Open => "open",
        State::Converged => "converged",
        State::Failed => "failed",
        State::Stuck => "stuck",
    }
}

pub(crate) fn style(state: State) -> Style {
    let colour = match state {
        State::Open => AnsiColor::Cyan,
        State::Converged => return Style::new(),
        State::Failed => AnsiColor::Red,
        State::Stuck => AnsiColor::Yellow,
    };
    Style::new().fg_color(Some(colour.into()))
}

fn line(cells: &[String; 7], widths: &[usize; 7], style: Style, out: &mut impl Write) -> std::io::Result<()> {
    write!(out, "{style}")?;
    for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
        match at {
            1 | 5 | 6 => write!(out, "{cell:>width$}")?,
            _ => write!(out, "{cell:<width$}")?,
        }
        write!(out, "{}", if at < 6 { "  " } else { "" })?;
    }
    writeln!(out, "{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        let shown = [3_400_000, 999_000_000, 34_240_000_000, 245_000_000_000, 7_260_000_000_000].map(duration);
        assert_eq!(shown, ["3 ms", "999 ms", "34.2 s", "4m05s", "2h01m"]);
    }

    #[test]
    fn times_have_milliseconds() {
        assert_eq!(time_of_day("2026-11-15T09:07:37.983794Z"), "09:07:37.983");
        assert_eq!(time_of_day("2026-11-15T09:07:37Z"), "09:07:37.000");
    }
}
