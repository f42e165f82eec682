//! One file of a capture while it is written: zstd, flushed often, ended properly.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::CollectError;
use crate::capture::Source;

/// Fast, and on JSON lines only little larger than the slower levels.
const LEVEL: i32 = 3;

/// A file of a capture, open for writing.
pub struct CaptureFile {
    source: Source,
    path: PathBuf,
    encoder: zstd::Encoder<'static, File>,
    lines: u64,
    bytes: u64,
}

/// What was written to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileSummary {
    /// The source that it holds.
    pub source: Source,
    /// The file.
    pub path: PathBuf,
    /// Lines in it.
    pub lines: u64,
    /// Bytes of those lines, before compression.
    pub bytes: u64,
    /// The size of the file.
    pub compressed: u64,
}

impl CaptureFile {
    /// Creates the file of a source; never writes over one that is there.
    pub fn create(folder: &Path, source: Source) -> Result<Self, CollectError> {
        let path = folder.join(format!("{}.zst", source.file_name()));
        // A cluster's facts are not for every user of the machine.
        let made = fs::create_dir_all(folder)
            .and_then(|()| File::options().write(true).create_new(true).mode(0o600).open(&path));
        let encoder = made.and_then(|file| zstd::Encoder::new(file, LEVEL));
        match encoder {
            Ok(encoder) => Ok(Self { source, path, encoder, lines: 0, bytes: 0 }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(CollectError::Exists { path }),
            Err(error) => Err(CollectError::Write { path, source: error }),
        }
    }

    /// The source that it holds.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Appends a line; it must not hold a line end.
    pub fn write_line(&mut self, line: &str) -> Result<(), CollectError> {
        debug_assert!(!line.contains('\n'), "a line is one line");
        self.lines += 1;
        self.bytes += line.len() as u64 + 1;
        self.encoder
            .write_all(line.as_bytes())
            .and_then(|()| self.encoder.write_all(b"\n"))
            .map_err(|source| CollectError::Write { path: self.path.clone(), source })
    }

    /// Hands everything to the operating system, so that the lines so far outlive this process.
    pub fn flush(&mut self) -> Result<(), CollectError> {
        self.encoder.flush().map_err(|source| CollectError::Write { path: self.path.clone(), source })
    }

    /// Ends the file, so that a reader finds no break.
    pub fn finish(self) -> Result<FileSummary, CollectError> {
        let Self { source, path, encoder, lines, bytes } = self;
        let ended = encoder.finish().and_then(|file| {
            file.sync_all()?;
            file.metadata()
        });
        match ended {
            Ok(metadata) => Ok(FileSummary { source, path, lines, bytes, compressed: metadata.len() }),
            Err(error) => Err(CollectError::Write { path, source: error }),
        }
    }
}
