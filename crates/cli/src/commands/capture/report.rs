//! The summary at the end of a recording, on standard output.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use clew_collect::capture::Source;
use clew_collect::record::RecordSummary;

use crate::args::{NO_ROWS, Output};

/// Prints the summary in the form that was asked for.
pub(super) fn print(summary: &RecordSummary, out: &Path, took: Duration, output: Output) -> anyhow::Result<()> {
    let text = match output {
        Output::Text => for_people(summary, out, took),
        Output::Json => serde_json::to_string_pretty(summary)? + "\n",
        Output::Otlp => anyhow::bail!("a recording has no spans to print: use --output json"),
        Output::Csv | Output::Parquet => anyhow::bail!(NO_ROWS),
        Output::Jsonl => serde_json::to_string(summary)? + "\n",
    };
    anstream::stdout().write_all(text.as_bytes()).context("cannot print the summary")
}

fn for_people(summary: &RecordSummary, out: &Path, took: Duration) -> String {
    let mut text = format!("recorded {:.1} s into {}\n", took.as_secs_f64(), out.display());
    for file in &summary.files {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        let (plain, compressed) = (size(file.bytes), size(file.compressed));
        let more = match file.source {
            Source::Audit => String::new(),
            Source::Watch => format!(", {} resources", summary.watched),
            Source::Otlp => format!(", {} spans", summary.spans),
        };
        let lines = file.lines;
        let _ = writeln!(text, "  {name:<16} {lines:>8} lines, {plain} in {compressed}{more}");
    }
    for missing in &summary.not_recorded {
        let _ = writeln!(text, "  {} was not recorded: {}", missing.source, missing.reason);
    }
    if summary.bad > 0 {
        let bad = summary.bad;
        let _ = writeln!(text, "  {bad} lines were not kept, since they could not be read and so not redacted");
    }
    text
}

/// A size in the unit that reads best.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["kB", "MB", "GB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut scale = 1000;
    let mut unit = 0;
    while bytes / scale >= 1000 && unit + 1 < UNITS.len() {
        scale *= 1000;
        unit += 1;
    }
    let tenths = (bytes + scale / 20) / (scale / 10);
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use clew_collect::record::{FileSummary, NotRecorded};

    use super::*;

    #[test]
    fn the_summary_tells_files_and_what_is_missing() {
        let file = |source: Source, name: &str, lines, bytes, compressed| FileSummary {
            source,
            path: Path::new("today").join(name),
            lines,
            bytes,
            compressed,
        };
        let summary = RecordSummary {
            files: vec![
                file(Source::Watch, "watch.jsonl.zst", 384, 1_085_007, 21_490),
                file(Source::Otlp, "otlp.jsonl.zst", 18, 4_662_876, 999),
            ],
            bad: 2,
            watched: 63,
            spans: 6022,
            not_recorded: vec![NotRecorded { source: Source::Audit, reason: "name a log".to_owned() }],
        };
        insta::assert_snapshot!(for_people(&summary, Path::new("today"), Duration::from_millis(12_340)));
    }
}
