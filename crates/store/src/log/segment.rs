//! The files of a log: one for each segment, named by its number.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::frame::{Damage, Found, Frame, read};
use crate::{Result, StoreError};

const MAGIC: &[u8; 8] = b"clewlog1";
/// How long a segment's own header is.
pub(crate) const PREFIX: usize = 16;

/// The path of a segment.
pub(crate) fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:020}.log"))
}

/// The numbers of the segments in a folder, in their order.
pub(crate) fn list(folder: &Path) -> Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| io("read", folder, &error))? {
        let entry = entry.map_err(|error| io("read", folder, &error))?;
        let name = entry.file_name();
        let stem = name.to_str().and_then(|name| name.strip_suffix(".log"));
        let number: Option<u64> = stem.and_then(|stem| stem.parse().ok());
        numbers.extend(number);
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// A new, empty segment that is in its folder for good.
pub(crate) fn create(folder: &Path, number: u64, sync: bool) -> Result<File> {
    let path = path(folder, number);
    let failed = |error| io("write", &path, &error);
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&path).map_err(failed)?;
    let mut prefix = [0; PREFIX];
    prefix[..8].copy_from_slice(MAGIC);
    prefix[8..].copy_from_slice(&number.to_le_bytes());
    file.write_all(&prefix).map_err(failed)?;
    if sync {
        file.sync_data().map_err(failed)?;
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    Ok(file)
}

/// What a segment was found to hold.
#[derive(Debug, Default)]
pub struct Scan {
    /// The last sequence number in it.
    pub last: Option<u64>,
    /// How many records are whole.
    pub records: u64,
    /// The places that are not what was written.
    pub damage: Vec<Damage>,
    /// Up to where the file is worth keeping: all but a torn tail.
    pub good: u64,
    /// The whole file.
    pub bytes: u64,
}

/// Walks over the bytes of a whole segment file; the file's own header is checked, too.
pub fn scan(bytes: &[u8], mut take: impl FnMut(Frame<'_>)) -> Scan {
    let mut scan = Scan { bytes: bytes.len() as u64, good: PREFIX.min(bytes.len()) as u64, ..Scan::default() };
    if bytes.len() < PREFIX || &bytes[..8] != MAGIC {
        scan.damage.push(Damage { at: 0, bytes: bytes.len().min(PREFIX), tail: bytes.len() < PREFIX });
    }
    let Some(body) = bytes.get(PREFIX..) else { return scan };
    let mut frames = read(body);
    while let Some(found) = frames.next() {
        match found {
            Found::Record(frame) => {
                scan.last = scan.last.max(Some(frame.sequence));
                scan.records += 1;
                take(frame);
            }
            Found::Damage(damage) => scan.damage.push(Damage { at: damage.at + PREFIX, ..damage }),
        }
        if !scan.damage.last().is_some_and(|damage| damage.tail) {
            scan.good = (frames.position() + PREFIX) as u64;
        }
    }
    scan
}

/// Reads a segment file as a whole.
pub(crate) fn load(folder: &Path, number: u64) -> Result<Vec<u8>> {
    let path = path(folder, number);
    fs::read(&path).map_err(|error| io("read", &path, &error))
}

/// The error of a file, in our words.
pub(crate) fn io(doing: &'static str, what: &Path, error: &std::io::Error) -> StoreError {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    if matches!(error.kind(), StorageFull | QuotaExceeded) {
        return StoreError::Full {
            what: format!("no space left on the disk of {}", what.display()),
            retry_after: std::time::Duration::from_secs(10),
        };
    }
    StoreError::Io { doing, what: what.display().to_string(), reason: error.to_string() }
}
