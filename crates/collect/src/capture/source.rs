//! The three sources that a capture records.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::CollectError;

/// Where a line of a capture comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The API server's audit log: `audit.k8s.io/v1` events.
    Audit,
    /// Observed object versions.
    Watch,
    /// `ExportTraceServiceRequest`s in OTLP/JSON.
    Otlp,
}

impl Source {
    /// All sources, in the order in which a folder is read.
    pub const ALL: [Self; 3] = [Self::Audit, Self::Watch, Self::Otlp];

    /// The name of the source's file in a capture, without `.zst`.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Audit => "audit.log",
            Self::Watch => "watch.jsonl",
            Self::Otlp => "otlp.jsonl",
        }
    }

    /// The name of the source as `--sources` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Watch => "watch",
            Self::Otlp => "otlp",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Source {
    type Err = CollectError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|source| source.name() == text)
            .ok_or_else(|| CollectError::UnknownSource { name: text.to_owned() })
    }
}

/// A selection of sources, written `audit,watch,otlp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sources {
    selected: [bool; 3],
}

impl Sources {
    /// Every source.
    pub const ALL: Self = Self { selected: [true; 3] };
    /// No source.
    pub const NONE: Self = Self { selected: [false; 3] };

    /// This selection with one more source.
    pub const fn with(mut self, source: Source) -> Self {
        self.selected[source as usize] = true;
        self
    }

    /// Whether the source is selected.
    pub const fn contains(self, source: Source) -> bool {
        self.selected[source as usize]
    }

    /// The selected sources in their usual order.
    pub fn iter(self) -> impl Iterator<Item = Source> {
        Source::ALL.into_iter().filter(move |source| self.contains(*source))
    }
}

impl Default for Sources {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromStr for Sources {
    type Err = CollectError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut sources = Self::NONE;
        for name in text.split(',') {
            sources = sources.with(name.trim().parse()?);
        }
        Ok(sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_read_from_its_names() {
        let sources: Sources = "otlp, audit".parse().expect("valid");
        assert_eq!(sources.iter().collect::<Vec<_>>(), [Source::Audit, Source::Otlp]);
        let error = "audit,logs".parse::<Sources>().expect_err("logs is no source");
        assert_eq!(error.to_string(), "unknown source \"logs\": use audit, watch or otlp");
    }
}
