//! What a scene notes of itself because the audit log cannot show it: Git pushes, and what a resource elsewhere is about.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::{Error, Result};

/// The notes of one scene, as `pushed` and `concerns` of `lib.sh` wrote them.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Each push as the line that it gets among the actions, with its time.
    pub(super) pushes: Vec<(String, String)>,
    /// The namespaces that `RESOURCE/NAME` in another namespace is about.
    pub(super) concerns: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Push {
    time: String,
}

impl Notes {
    /// Reads what is in the folder; a scene that noted nothing left no file.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut notes = Self::default();
        for line in lines(&folder.join("pushes.jsonl"))? {
            let push: Push = parse(&folder.join("pushes.jsonl"), &line)?;
            notes.pushes.push((push.time, line));
        }
        for line in lines(&folder.join("concerns.jsonl"))? {
            let more: BTreeMap<String, String> = parse(&folder.join("concerns.jsonl"), &line)?;
            notes.concerns.extend(more);
        }
        Ok(notes)
    }
}

fn lines(path: &Path) -> Result<Vec<String>> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).map_err(Error::file("read", path))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path, line: &str) -> Result<T> {
    serde_json::from_str(line).map_err(|source| Error::Content { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::Notes;

    #[test]
    fn notes_are_read_and_their_absence_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Notes::read(folder.path()).unwrap().pushes.is_empty());
        let push = r#"{"push": "one", "time": "2026-01-01T00:00:00.000000Z", "concerns": "one"}"#;
        std::fs::write(folder.path().join("pushes.jsonl"), format!("{push}\n")).unwrap();
        std::fs::write(folder.path().join("concerns.jsonl"), "{\"things/x\": \"one\"}\n{\"things/y\": \"two\"}\n")
            .unwrap();
        let notes = Notes::read(folder.path()).unwrap();
        assert_eq!(notes.pushes, [("2026-01-01T00:00:00.000000Z".to_owned(), push.to_owned())]);
        assert_eq!(notes.concerns.len(), 2);
    }
}
