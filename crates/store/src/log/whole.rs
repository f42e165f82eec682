//! Files that are replaced as a whole: a reader sees the old or the new one, and notices when it is neither.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use super::segment::io;
use crate::{Result, StoreError};

const MAGIC: &[u8; 8] = b"clewfil1";
const PREFIX: usize = 8 + 32;

/// Replaces a file; what was there stays until the new one is safe.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    let temporary = path.with_extension("new");
    let failed = |error: std::io::Error| {
        let _ = fs::remove_file(&temporary);
        io("write", path, &error)
    };
    let mut file = File::create(&temporary).map_err(failed)?;
    file.write_all(MAGIC).map_err(failed)?;
    file.write_all(blake3::hash(content).as_bytes()).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    fs::rename(&temporary, path).map_err(failed)?;
    if let Some(folder) = path.parent() {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    Ok(())
}

/// Reads a file that [`write`] wrote; none if there is none.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    let mut bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io("read", path, &error)),
    };
    let damaged = |reason: &str| StoreError::Damaged { file: path.display().to_string(), reason: reason.to_owned() };
    if bytes.len() < PREFIX || &bytes[..8] != MAGIC {
        return Err(damaged("it does not begin as such a file does"));
    }
    if blake3::hash(&bytes[PREFIX..]).as_bytes() != &bytes[8..PREFIX] {
        return Err(damaged("its checksum does not fit"));
    }
    bytes.drain(..PREFIX);
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_byte_anywhere_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.snapshot");
        assert_eq!(read(&path).unwrap(), None);
        write(&path, b"memory").unwrap();
        assert_eq!(read(&path).unwrap().as_deref(), Some(&b"memory"[..]));
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&path, bad).unwrap();
            assert!(matches!(read(&path), Err(StoreError::Damaged { .. })), "byte {at}");
        }
    }
}
