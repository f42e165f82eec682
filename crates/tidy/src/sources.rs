//! The files of the repository, as git knows them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Larger files are data, not source.
const MAX_BYTES: u64 = 1024 * 1024;

/// A text file: its path from the root of the repository, and what it says.
pub struct Source {
    /// The path, with forward slashes.
    pub path: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// A source for a check's own tests.
    pub fn new(path: &str, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), text: text.into() }
    }

    /// Whether it is Rust.
    pub fn is_rust(&self) -> bool {
        self.has_extension("rs")
    }

    /// Whether it is code in one of our languages, rather than text or data.
    pub fn is_code(&self) -> bool {
        ["rs", "ts", "sh", "py", "go"].iter().any(|extension| self.has_extension(extension))
            || self.text.starts_with("#!")
    }

    fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every text file that is tracked or about to be, without what `.gitignore` leaves out.
pub fn all(root: &Path) -> Result<Vec<Source>, String> {
    let listing = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cannot run git, which lists the sources: {error}"))?;
    if !listing.status.success() {
        return Err(format!("git ls-files failed: {}", String::from_utf8_lossy(&listing.stderr)));
    }
    let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
    let paths = listing.split('\0').filter(|path| !path.is_empty());
    Ok(paths.filter_map(|path| read(root, path)).collect())
}

/// Files that are gone, large or no text are nobody's source.
fn read(root: &Path, path: &str) -> Option<Source> {
    let file = root.join(path);
    if std::fs::metadata(&file).ok()?.len() > MAX_BYTES {
        return None;
    }
    Some(Source { path: path.to_owned(), text: std::fs::read_to_string(file).ok()? })
}
