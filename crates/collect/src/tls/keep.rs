//! Where clew keeps what it makes for itself: a folder of its own, or a Secret when it runs in a cluster.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::CollectError;
use crate::live::{Change, OwnSecret};

/// Where clew keeps what it makes for itself, by names.
#[derive(Clone)]
pub enum Keep {
    /// Files that only their owner may read.
    Folder(PathBuf),
    /// The entries of a Secret, which all replicas share.
    Secret(OwnSecret),
}

impl Keep {
    /// Changes an entry, and returns what is kept in the end: what `change` gives, or what was there if it gives nothing.
    ///
    /// `change` may be asked again when somebody else was faster; what it finds then is theirs.
    pub async fn update(
        &self,
        entry: &str,
        mut change: impl FnMut(Option<&[u8]>) -> Result<Option<Vec<u8>>, String> + Send,
    ) -> Result<Vec<u8>, CollectError> {
        match self {
            Self::Folder(folder) => in_folder(&folder.join(entry), &mut change),
            Self::Secret(secret) => secret.update(entry, &mut change).await,
        }
        .map_err(|reason| self.failed(reason))
    }

    pub(super) fn failed(&self, reason: String) -> CollectError {
        let place = match self {
            Self::Folder(folder) => folder.display().to_string(),
            Self::Secret(secret) => secret.to_string(),
        };
        CollectError::Keep { place, reason }
    }
}

fn in_folder(path: &Path, change: &mut Change<'_>) -> Result<Vec<u8>, String> {
    let kept = match fs::read(path) {
        Ok(kept) => Some(kept),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.to_string()),
    };
    match change(kept.as_deref())? {
        Some(next) => write(path, &next).map(|()| next).map_err(|error| error.to_string()),
        None => Ok(kept.unwrap_or_default()),
    }
}

/// Whole or not at all.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder)?;
    let fresh = path.with_extension("new");
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    File::open(folder)?.sync_all()
}
