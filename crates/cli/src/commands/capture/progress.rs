//! What is seen while a recording runs, on standard error.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use clew_collect::capture::Source;
use clew_collect::record::{Counts, Notice};

/// Goes to the start of the line and clears it.
const CLEAR: &str = "\r\x1b[2K";

/// Says that the recording has begun, and how to end it.
pub(super) fn started(out: &Path) {
    anstream::eprintln!("recording into {}; Ctrl-C ends it", out.display());
}

/// Prints a notice of a source.
pub(super) fn notice(notice: &Notice) {
    note(notice.source, &notice.text);
}

/// Prints a line about a source.
pub(super) fn note(source: Source, text: &str) {
    let yellow = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
    clear();
    anstream::eprintln!("{yellow}{source}:{yellow:#} {text}");
}

/// Removes the progress line.
pub(super) fn clear() {
    if std::io::stderr().is_terminal() {
        eprint!("{CLEAR}");
    }
}

/// Shows the counts every second; on a terminal only, since a log would drown in them.
pub(super) async fn show(counts: Arc<Counts>, begin: Instant) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        eprint!("{CLEAR}{}", line(&counts, begin.elapsed()));
    }
}

fn line(counts: &Counts, elapsed: Duration) -> String {
    let lines = |source| counts.of(source).snapshot().lines;
    let bad: u64 = Source::ALL.into_iter().map(|source| counts.of(source).snapshot().bad).sum();
    let (minutes, seconds) = (elapsed.as_secs() / 60, elapsed.as_secs() % 60);
    let (audit, watch) = (lines(Source::Audit), lines(Source::Watch));
    let (watched, spans) = (counts.watched(), counts.spans());
    // Short enough for a terminal of 80 columns: a line that wraps cannot be cleared.
    let mut line =
        format!("{minutes:02}:{seconds:02}  audit {audit}  watch {watch} of {watched} resources  otlp {spans} spans");
    if bad > 0 {
        let _ = write!(line, "  bad {bad}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_each_source() {
        let line = line(&Counts::default(), Duration::from_secs(61));
        assert_eq!(line, "01:01  audit 0  watch 0 of 0 resources  otlp 0 spans");
    }
}
