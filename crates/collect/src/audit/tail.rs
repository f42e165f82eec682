//! A log file that grows, is rotated and is truncated, read piece by piece.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use crate::lines::{Completed, LineBuffer};

/// Read at once, so that a long log does not fill the memory.
const CHUNK: usize = 256 * 1024;

/// How much of a file's beginning tells it from another one in its place.
const HEAD: usize = 256;

/// The end of a log file.
#[derive(Debug)]
pub(crate) struct Tail {
    path: PathBuf,
    open: Option<Open>,
    /// Files that were rotated away before they were read.
    rotated: VecDeque<PathBuf>,
    buffer: LineBuffer,
    chunk: Vec<u8>,
}

#[derive(Debug)]
struct Open {
    file: File,
    /// Device and inode: a name may come to stand for another file.
    identity: (u64, u64),
    position: u64,
}

/// A place in a log file that a later run finds again, also when the file was rotated meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    identity: (u64, u64),
    /// Where the first line begins that was not read to its end.
    offset: u64,
    /// A hash of the file's first bytes, and how many: after a truncation the inode stays, but not they.
    head: (u64, u64),
}

/// What a look at the file gave.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) completed: Completed,
    /// There may be more to read right away.
    pub(crate) more: bool,
}

impl Tail {
    /// Starts at the end of a file that is there: what it holds was before the recording.
    pub(crate) fn at_end(path: &Path, max_line: usize) -> Self {
        let mut tail = Self::at_start(path, max_line);
        if let Ok(mut open) = Open::new(path) {
            open.position = open.file.seek(SeekFrom::End(0)).unwrap_or(0);
            tail.open = Some(open);
        }
        tail
    }

    /// Starts with the first line of the file, whenever it comes.
    pub(crate) fn at_start(path: &Path, max_line: usize) -> Self {
        Self {
            path: path.to_owned(),
            open: None,
            rotated: VecDeque::new(),
            buffer: LineBuffer::new(max_line),
            chunk: vec![0; CHUNK],
        }
    }

    /// Goes on where a former run was; false if lines in between may be lost.
    pub(crate) fn resume(path: &Path, max_line: usize, place: Place) -> io::Result<(Self, bool)> {
        let mut tail = Self::at_start(path, max_line);
        if let Some(mut open) = Open::if_there(path)?
            && open.identity == place.identity
        {
            let is_same = open.is_at(&place)?;
            if is_same {
                open.position = open.file.seek(SeekFrom::Start(place.offset))?;
            }
            // Truncated meanwhile: what was copied away is not looked for.
            tail.open = Some(open);
            return Ok((tail, is_same));
        }
        let mut rotated = siblings(path)?;
        let found = rotated.iter().position(|(_, identity)| *identity == place.identity);
        let Some(found) = found else { return Ok((tail, false)) };
        let rest = rotated.split_off(found + 1);
        let mut open = Open::new(&rotated[found].0)?;
        let is_same = open.is_at(&place)?;
        if is_same {
            open.position = open.file.seek(SeekFrom::Start(place.offset))?;
        }
        tail.open = Some(open);
        tail.rotated = rest.into_iter().map(|(path, _)| path).collect();
        Ok((tail, is_same))
    }

    /// Where the first line begins that was not given out; none while there is no file.
    pub(crate) fn place(&mut self) -> io::Result<Option<Place>> {
        let held = self.buffer.held() as u64;
        let Some(open) = &mut self.open else { return Ok(None) };
        let offset = open.position.saturating_sub(held);
        let length = offset.min(HEAD as u64);
        Ok(Some(Place { identity: open.identity, offset, head: (open.hash_head(length)?, length) }))
    }

    /// Whether the file has been there.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Reads the next piece: of the file at hand to its end, then of the one that has taken its name.
    pub(crate) fn look(&mut self) -> io::Result<Look> {
        let Some(open) = &mut self.open else {
            self.open = Open::if_there(&self.path)?;
            return Ok(Look { more: self.open.is_some(), ..Look::default() });
        };
        if open.file.metadata()?.len() < open.position {
            open.position = open.file.seek(SeekFrom::Start(0))?;
            self.buffer.abandon();
        }
        let read = open.file.read(&mut self.chunk)?;
        open.position += read as u64;
        if read > 0 {
            let completed = self.buffer.push(&self.chunk[..read]);
            return Ok(Look { completed, more: true });
        }
        self.turn_over()
    }

    /// At the end of the file: goes on with another one, if the name now stands for that.
    fn turn_over(&mut self) -> io::Result<Look> {
        let next = match self.rotated.pop_front() {
            Some(rotated) => Open::if_there(&rotated)?,
            None => Open::if_there(&self.path)?,
        };
        let Some(next) = next else {
            return Ok(Look { more: !self.rotated.is_empty(), ..Look::default() });
        };
        if self.open.as_ref().is_some_and(|open| open.identity == next.identity) {
            return Ok(Look::default());
        }
        let mut completed = Completed::default();
        if self.buffer.abandon() {
            completed.bad += 1;
        }
        self.open = Some(next);
        Ok(Look { completed, more: true })
    }
}

impl Open {
    fn new(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        Ok(Self { file, identity: (metadata.dev(), metadata.ino()), position: 0 })
    }

    /// Whether the file still holds what it held up to a place.
    fn is_at(&self, place: &Place) -> io::Result<bool> {
        let (hash, length) = place.head;
        Ok(self.file.metadata()?.len() >= place.offset && self.hash_head(length)? == hash)
    }

    fn hash_head(&self, length: u64) -> io::Result<u64> {
        let mut head = [0; HEAD];
        let length = usize::try_from(length).unwrap_or(HEAD).min(HEAD);
        let read = self.file.read_at(&mut head[..length], 0)?;
        let mut hasher = FxHasher::default();
        hasher.write(&head[..read]);
        Ok(hasher.finish())
    }

    fn if_there(path: &Path) -> io::Result<Option<Self>> {
        match Self::new(path) {
            Ok(open) => Ok(Some(open)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The files that a log was rotated into, the oldest first: those whose names begin and end like it, or only begin.
fn siblings(path: &Path) -> io::Result<Vec<(PathBuf, (u64, u64))>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        // A compressed one was complete, and read, long before.
        let is_compressed = entry.path().extension() == Some(OsStr::new("gz"));
        if !name.starts_with(stem) || is_compressed || entry.path() == path {
            continue;
        }
        let metadata = entry.metadata()?;
        if metadata.is_file() {
            let written = (metadata.mtime(), metadata.mtime_nsec());
            found.push((written, entry.path(), (metadata.dev(), metadata.ino())));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path, identity)| (path, identity)).collect())
}

#[cfg(test)]
#[path = "tail_tests.rs"]
mod tests;
