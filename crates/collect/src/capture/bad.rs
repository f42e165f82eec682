//! What could not be read from a capture: counted for each file, with the first examples.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::{Line, Source};

/// How many bad lines of a file are kept with their reason.
const DEFAULT_KEPT: usize = 20;
/// How long a kept reason may be, in characters.
const MAX_REASON: usize = 200;

/// Counts bad lines and broken files while a capture is read, and keeps the first few with their reasons.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct BadLines {
    files: BTreeMap<String, BadFile>,
    #[serde(skip)]
    kept: usize,
}

/// What could not be read from one file.
#[derive(Debug, Clone, Serialize)]
pub struct BadFile {
    /// The source that the file belongs to.
    pub source: Source,
    /// How many lines were bad.
    pub count: u64,
    /// The first of them.
    pub first: Vec<BadLine>,
    /// Why the file could not be read to its end, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// One bad line: its number, from 1, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadLine {
    /// Where it is.
    pub number: u64,
    /// What is wrong; never quotes the line, since it may hold a secret.
    pub reason: String,
}

impl Default for BadLines {
    fn default() -> Self {
        Self::keeping(DEFAULT_KEPT)
    }
}

impl BadLines {
    /// A collector that keeps the first `kept` bad lines of each file.
    pub fn keeping(kept: usize) -> Self {
        Self { files: BTreeMap::new(), kept }
    }

    /// Counts a bad line. The reason must not quote the line.
    pub fn report(&mut self, line: Line<'_>, reason: impl fmt::Display) {
        self.report_at(line.source, line.file, line.number, reason);
    }

    /// Counts a line that is no JSON, or JSON of another shape; leaves out the values that serde's messages quote.
    pub fn report_json(&mut self, line: Line<'_>, error: &serde_json::Error) {
        use serde_json::error::Category;
        let column = error.column();
        match error.classify() {
            Category::Eof => self.report(line, format_args!("JSON breaks off at column {column}")),
            Category::Data => self.report(line, format_args!("JSON of another shape at column {column}")),
            Category::Syntax | Category::Io => self.report(line, format_args!("no JSON at column {column}")),
        }
    }

    pub(super) fn report_at(&mut self, source: Source, file: &str, number: u64, reason: impl fmt::Display) {
        let kept = self.kept;
        let entry = self.file(source, file);
        entry.count += 1;
        if entry.first.len() < kept {
            let reason = reason.to_string().chars().take(MAX_REASON).collect();
            entry.first.push(BadLine { number, reason });
        }
    }

    /// Notes that a file could not be read any further; the lines before are good.
    pub(super) fn break_off(&mut self, source: Source, file: &str, reason: impl fmt::Display) {
        self.file(source, file).broken = Some(reason.to_string());
    }

    /// Adds what was bad elsewhere: in other files, or in other parts of an archive.
    pub(crate) fn add(&mut self, other: Self) {
        for (name, file) in other.files {
            let mine = self.file(file.source, &name);
            mine.count += file.count;
            mine.first.extend(file.first);
            mine.broken = file.broken.or(mine.broken.take());
        }
        for file in self.files.values_mut() {
            file.first.truncate(self.kept);
        }
    }

    /// Whether everything could be read.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// How many lines were bad, over all files.
    pub fn count(&self) -> u64 {
        self.files.values().map(|file| file.count).sum()
    }

    /// The files with bad lines or a broken end, by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &BadFile)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }

    fn file(&mut self, source: Source, file: &str) -> &mut BadFile {
        let empty = || BadFile { source, count: 0, first: Vec::new(), broken: None };
        self.files.entry(file.to_owned()).or_insert_with(empty)
    }
}

/// For people: one line for each kept bad line, one for what is left out, one for a broken end.
impl fmt::Display for BadLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, file) in self.files() {
            for line in &file.first {
                writeln!(f, "{name}:{}: {}", line.number, line.reason)?;
            }
            let more = file.count - file.first.len() as u64;
            if more > 0 {
                writeln!(f, "{name}: and {more} more bad lines")?;
            }
            if let Some(broken) = &file.broken {
                writeln!(f, "{name}: {broken}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64) -> Line<'static> {
        Line { source: Source::Audit, file: "audit.log", number, bytes: b"" }
    }

    #[test]
    fn all_are_counted_and_the_first_are_kept() {
        let mut bad = BadLines::keeping(2);
        for number in 1..=5 {
            bad.report(line(number), "no verb");
        }
        assert_eq!(bad.count(), 5);
        assert_eq!(bad.to_string(), "audit.log:1: no verb\naudit.log:2: no verb\naudit.log: and 3 more bad lines\n");
    }

    #[test]
    fn a_json_reason_never_quotes_the_line() {
        let error = serde_json::from_str::<u64>("\"hunter2\"").expect_err("a string is no number");
        assert!(error.to_string().contains("hunter2"));
        let mut bad = BadLines::default();
        bad.report_json(line(7), &error);
        assert!(!bad.to_string().contains("hunter2"), "{bad}");
    }
}
