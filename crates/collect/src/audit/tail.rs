//! A log file that grows, is rotated and is truncated, read piece by piece.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::lines::{Completed, LineBuffer};

/// Read at once, so that a long log does not fill the memory.
const CHUNK: usize = 256 * 1024;

/// The end of a log file.
#[derive(Debug)]
pub(super) struct Tail {
    path: PathBuf,
    open: Option<Open>,
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

/// What a look at the file gave.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) completed: Completed,
    /// There may be more to read right away.
    pub(super) more: bool,
}

impl Tail {
    /// Starts at the end of a file that is there: what it holds was before the recording.
    pub(super) fn at_end(path: &Path, max_line: usize) -> Self {
        let mut tail =
            Self { path: path.to_owned(), open: None, buffer: LineBuffer::new(max_line), chunk: vec![0; CHUNK] };
        if let Ok(mut open) = Open::new(path) {
            open.position = open.file.seek(SeekFrom::End(0)).unwrap_or(0);
            tail.open = Some(open);
        }
        tail
    }

    /// Whether the file has been there.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Reads the next piece: of the file at hand to its end, then of the one that has taken its name.
    pub(super) fn look(&mut self) -> io::Result<Look> {
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
        let Some(next) = Open::if_there(&self.path)? else {
            return Ok(Look::default());
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

    fn if_there(path: &Path) -> io::Result<Option<Self>> {
        match Self::new(path) {
            Ok(open) => Ok(Some(open)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    use super::*;

    fn append(path: &Path, text: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(path).expect("open");
        file.write_all(text.as_bytes()).expect("write");
    }

    fn read(tail: &mut Tail) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let look = tail.look().expect("readable");
            lines.extend(look.completed.lines);
            if !look.more {
                return lines;
            }
        }
    }

    #[test]
    fn only_what_is_added_is_read_and_whole_lines_only() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("audit.log");
        append(&path, "before\n");
        let mut tail = Tail::at_end(&path, 100);
        assert!(read(&mut tail).is_empty());
        append(&path, "one\ntw");
        assert_eq!(read(&mut tail), ["one"]);
        append(&path, "o\n");
        assert_eq!(read(&mut tail), ["two"]);
    }

    #[test]
    fn a_file_that_comes_later_is_read_from_its_start() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("audit.log");
        let mut tail = Tail::at_end(&path, 100);
        assert!(read(&mut tail).is_empty() && !tail.is_open());
        append(&path, "one\n");
        assert_eq!(read(&mut tail), ["one"]);
    }

    #[test]
    fn rotation_loses_no_line() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("audit.log");
        let mut tail = Tail::at_end(&path, 100);
        append(&path, "1\n");
        assert_eq!(read(&mut tail), ["1"]);
        append(&path, "2\n");
        fs::rename(&path, folder.path().join("audit-1.log")).expect("rotate");
        append(&folder.path().join("audit-1.log"), "3\n");
        append(&path, "4\n");
        assert_eq!(read(&mut tail), ["2", "3", "4"]);
        fs::rename(&path, folder.path().join("audit-2.log")).expect("rotate");
        assert!(read(&mut tail).is_empty(), "no file of that name for a moment");
        append(&path, "5\n");
        assert_eq!(read(&mut tail), ["5"]);
    }

    #[test]
    fn a_truncated_file_is_read_from_its_start() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("audit.log");
        append(&path, "a long line before\n");
        let mut tail = Tail::at_end(&path, 100);
        assert!(read(&mut tail).is_empty());
        fs::write(&path, "new\n").expect("truncate");
        assert_eq!(read(&mut tail), ["new"]);
    }
}
