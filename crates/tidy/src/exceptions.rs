//! The exceptions to the rules, each with its reason.

use std::path::Path;

use serde::Deserialize;

/// What `exceptions.toml` holds.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Exceptions {
    /// Files that may be longer than the limit.
    pub file: Vec<LongFile>,
    /// Functions that may be longer than the limit.
    pub function: Vec<LongFunction>,
}

/// A file that may be longer than the limit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongFile {
    /// The path from the root of the repository.
    pub path: String,
    /// How long it may be.
    pub lines: usize,
    /// Why.
    pub reason: String,
}

/// A function that may be longer than the limit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongFunction {
    /// The path of its file from the root of the repository.
    pub path: String,
    /// Its name.
    pub name: String,
    /// How long it may be.
    pub lines: usize,
    /// Why.
    pub reason: String,
}

impl Exceptions {
    /// Reads `crates/tidy/exceptions.toml`.
    pub fn read(root: &Path) -> Result<Self, String> {
        let path = root.join("crates/tidy/exceptions.toml");
        let text =
            std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Self::parse(&text)
    }

    /// Reads the exceptions from a text; each must have a reason of more than a word.
    pub fn parse(text: &str) -> Result<Self, String> {
        let exceptions: Self = toml::from_str(text).map_err(|error| format!("exceptions.toml: {error}"))?;
        let files = exceptions.file.iter().map(|file| (&file.path, &file.reason));
        let functions = exceptions.function.iter().map(|function| (&function.name, &function.reason));
        for (name, reason) in files.chain(functions) {
            if reason.split_whitespace().count() < 3 {
                return Err(format!("exceptions.toml: {name}: say the reason in a few words"));
            }
        }
        Ok(exceptions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_without_a_reason_is_refused() {
        let with = |reason| format!("[[file]]\npath = \"a.rs\"\nlines = 500\nreason = \"{reason}\"\n");
        assert!(Exceptions::parse(&with("one table of cases")).is_ok());
        assert!(Exceptions::parse(&with("long")).is_err());
        assert!(Exceptions::parse("[[file]]\npath = \"a.rs\"\nlines = 500\n").is_err());
    }
}
