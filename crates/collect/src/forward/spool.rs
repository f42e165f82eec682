//! Requests that wait on disk for one endpoint, oldest first.
//!
//! One file for each, written beside and renamed, so that a crash leaves whole files or none.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;

const SUFFIX: &str = ".otlp";

/// The files of one endpoint.
#[derive(Debug)]
pub(super) struct Spool {
    folder: PathBuf,
    max_bytes: u64,
    files: VecDeque<File>,
    bytes: u64,
    next: u64,
}

#[derive(Debug, Clone, Copy)]
struct File {
    number: u64,
    spans: u64,
    bytes: u64,
}

/// The oldest request.
#[derive(Debug)]
pub(super) struct Oldest {
    pub(super) number: u64,
    pub(super) spans: u64,
    /// None when its file cannot be read any more.
    pub(super) request: Option<Bytes>,
}

impl Spool {
    /// Opens the folder and finds what an earlier run left.
    pub(super) fn open(folder: PathBuf, max_bytes: u64) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let Some((number, spans)) = entry.file_name().to_str().and_then(parse_name) else {
                continue;
            };
            files.push(File { number, spans, bytes: entry.metadata()?.len() });
        }
        files.sort_by_key(|file| file.number);
        let bytes = files.iter().map(|file| file.bytes).sum();
        let next = files.last().map_or(0, |file| file.number + 1);
        Ok(Self { folder, max_bytes, files: files.into(), bytes, next })
    }

    /// Spans and bytes that wait.
    pub(super) fn waiting(&self) -> (u64, u64) {
        (self.files.iter().map(|file| file.spans).sum(), self.bytes)
    }

    /// Keeps a request; false if there is no room for it.
    pub(super) fn put(&mut self, request: &[u8], spans: u64) -> io::Result<bool> {
        let bytes = request.len() as u64;
        if self.bytes.saturating_add(bytes) > self.max_bytes {
            return Ok(false);
        }
        let file = File { number: self.next, spans, bytes };
        write_whole(&self.path(file), request)?;
        self.next += 1;
        self.bytes += bytes;
        self.files.push_back(file);
        Ok(true)
    }

    /// Reads the oldest request, if there is one.
    pub(super) fn oldest(&self) -> Option<Oldest> {
        let file = self.files.front()?;
        let request = fs::read(self.path(*file)).ok().filter(|data| data.len() as u64 == file.bytes);
        Some(Oldest { number: file.number, spans: file.spans, request: request.map(Bytes::from) })
    }

    /// Removes the oldest request, if it is still this one. A file that cannot be removed is sent again after a restart.
    pub(super) fn forget(&mut self, number: u64) {
        if self.files.front().is_none_or(|file| file.number != number) {
            return;
        }
        let Some(file) = self.files.pop_front() else { return };
        self.bytes -= file.bytes;
        let _ = fs::remove_file(self.path(file));
    }

    fn path(&self, file: File) -> PathBuf {
        self.folder.join(format!("{:020}-{}{SUFFIX}", file.number, file.spans))
    }
}

fn write_whole(path: &Path, data: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("part");
    let mut file = fs::File::create(&beside)?;
    file.write_all(data)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

fn parse_name(name: &str) -> Option<(u64, u64)> {
    let (number, spans) = name.strip_suffix(SUFFIX)?.split_once('-')?;
    Some((number.parse().ok()?, spans.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_wait_in_order_over_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::open(folder.path().into(), 10).unwrap();
        assert!(spool.put(b"first", 1).unwrap());
        assert!(spool.put(b"next", 2).unwrap());
        assert!(!spool.put(b"no room", 1).unwrap());
        std::fs::write(folder.path().join("00000000000000000009-1.part"), b"half").unwrap();
        let mut spool = Spool::open(folder.path().into(), 10).unwrap();
        assert_eq!(spool.waiting(), (3, 9));
        assert_eq!(spool.oldest().unwrap().request.as_deref(), Some(&b"first"[..]));
        spool.forget(0);
        spool.forget(0);
        assert_eq!(spool.oldest().unwrap().request.as_deref(), Some(&b"next"[..]));
        assert!(spool.put(b"room", 1).unwrap());
        spool.forget(1);
        spool.forget(2);
        assert!(spool.oldest().is_none());
        assert_eq!(spool.waiting(), (0, 0));
    }

    #[test]
    fn a_file_that_was_cut_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::open(folder.path().into(), 100).unwrap();
        spool.put(b"whole", 7).unwrap();
        std::fs::write(spool.path(spool.files[0]), b"who").unwrap();
        let oldest = spool.oldest().unwrap();
        assert_eq!((oldest.spans, oldest.request), (7, None));
    }
}
