//! The bounded spool on disk: batches that a collector would not take, kept over a restart.
//!
//! One file for each batch, an OTLP request, written beside and renamed so that a crash leaves whole files or none.

use crate::error::Error;
use crate::export::Batch;
use crate::otlp;
use prost::Message as _;
use std::collections::VecDeque;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where the spool is and how large it may grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpoolSettings {
    /// The folder, of this component alone.
    pub folder: PathBuf,
    /// The most bytes on disk; a batch that does not fit is dropped and counted.
    pub max_bytes: u64,
}

/// The spool, opened.
pub(crate) struct Spool {
    settings: SpoolSettings,
    files: VecDeque<SpoolFile>,
    bytes: u64,
    next: u64,
}

struct SpoolFile {
    number: u64,
    spans: u64,
    bytes: u64,
}

/// The oldest batch of the spool.
pub(crate) struct Oldest {
    pub(crate) spans: u64,
    /// None when its file cannot be understood any more.
    pub(crate) batch: Option<Batch>,
}

const SUFFIX: &str = ".otlp";

impl Spool {
    /// Opens the folder and finds what an earlier run left.
    pub(crate) fn open(settings: SpoolSettings) -> Result<Self, Error> {
        let fail = |error: std::io::Error| Error::Spool { path: settings.folder.clone(), reason: error.to_string() };
        fs::create_dir_all(&settings.folder).map_err(fail)?;
        let mut files = Vec::new();
        for entry in fs::read_dir(&settings.folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let Some((number, spans)) = entry.file_name().to_str().and_then(parse_name) else { continue };
            let bytes = entry.metadata().map_err(fail)?.len();
            files.push(SpoolFile { number, spans, bytes });
        }
        files.sort_by_key(|file| file.number);
        let bytes = files.iter().map(|file| file.bytes).sum();
        let next = files.last().map_or(0, |file| file.number + 1);
        Ok(Self { settings, files: files.into(), bytes, next })
    }

    /// How many spans are on disk.
    pub(crate) fn spans(&self) -> u64 {
        self.files.iter().map(|file| file.spans).sum()
    }

    /// Puts a batch on disk, or says why not.
    pub(crate) fn put(&mut self, batch: &Batch) -> Result<(), String> {
        let data = otlp::request(batch).encode_to_vec();
        let bytes = data.len() as u64;
        if self.bytes + bytes > self.settings.max_bytes {
            return Err(format!("the spool's limit of {} bytes is reached", self.settings.max_bytes));
        }
        let file = SpoolFile { number: self.next, spans: batch.spans.len() as u64, bytes };
        write_whole(&self.path(&file), &data).map_err(|error| error.to_string())?;
        self.next += 1;
        self.bytes += bytes;
        self.files.push_back(file);
        Ok(())
    }

    /// Reads the oldest batch, if there is one.
    pub(crate) fn oldest(&self) -> Option<Oldest> {
        let file = self.files.front()?;
        let data = fs::read(self.path(file)).unwrap_or_default();
        let batch = otlp::read_request(&data).filter(|batch| batch.spans.len() as u64 == file.spans);
        Some(Oldest { spans: file.spans, batch })
    }

    /// Removes the oldest batch.
    pub(crate) fn forget_oldest(&mut self) {
        let Some(file) = self.files.pop_front() else { return };
        self.bytes -= file.bytes;
        if let Err(error) = fs::remove_file(self.path(&file)) {
            tracing::warn!(target: "clew_instrument", %error, "removing a spooled batch failed: it will be sent again");
        }
    }

    fn path(&self, file: &SpoolFile) -> PathBuf {
        self.settings.folder.join(format!("{:020}-{}{SUFFIX}", file.number, file.spans))
    }
}

fn write_whole(path: &Path, data: &[u8]) -> std::io::Result<()> {
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
