//! The key that hides secrets: one for the installation, so that the same value has the same hash after a restart.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, bail};
use clew_collect::redact::Redactor;

const LENGTH: usize = 32;

/// Reads the key of an installation, or makes it: a file that only its owner may read.
pub(super) fn redactor(path: &Path) -> anyhow::Result<Redactor> {
    let told = || format!("cannot keep the key of the redaction in {}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(told)?;
    }
    let mut key = [0; LENGTH];
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => {
            getrandom::fill(&mut key).context("cannot make the key of the redaction")?;
            file.write_all(&key).and_then(|()| file.sync_all()).with_context(told)?;
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let mut file = std::fs::File::open(path).with_context(told)?;
            let read = file.read(&mut key).with_context(told)?;
            if read != LENGTH {
                bail!("{} is not a key of {LENGTH} bytes: remove it, and a new one is made", path.display());
            }
        }
        Err(error) => return Err(error).with_context(told),
    }
    Ok(Redactor::new(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep").join("key");
        redactor(&path).expect("made");
        let made = std::fs::read(&path).expect("there");
        redactor(&path).expect("read");
        assert_eq!(std::fs::read(&path).expect("there"), made);
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        std::fs::write(&path, "short").expect("written");
        assert!(redactor(&path).is_err());
    }
}
