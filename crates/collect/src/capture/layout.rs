//! Which files make up a capture: those of a folder, the members of an archive, or one file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::Source;
use super::encoding::{self, Decoded};
use crate::CollectError;

/// How much of a single file is looked at to tell what it is.
const SNIFFED: usize = 16 * 1024;

/// One file of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) source: Source,
    /// The name that is shown: of the file, or of the archive's member.
    pub(super) name: String,
}

/// Where the files of a capture are.
#[derive(Debug)]
pub(super) enum Layout {
    Folder { path: PathBuf, parts: Vec<Part> },
    Archive { path: PathBuf, parts: Vec<Part> },
    File { path: PathBuf, part: Part },
}

impl Layout {
    pub(super) fn parts(&self) -> &[Part] {
        match self {
            Self::Folder { parts, .. } | Self::Archive { parts, .. } => parts,
            Self::File { part, .. } => std::slice::from_ref(part),
        }
    }

    /// Looks at the path to find out what it is.
    pub(super) fn find(path: &Path) -> Result<Self, CollectError> {
        let open_error = |source: io::Error| CollectError::Open { path: path.to_owned(), source };
        let layout = if fs::metadata(path).map_err(open_error)?.is_dir() {
            Self::Folder { path: path.to_owned(), parts: folder_parts(path) }
        } else {
            let (head, stream) = open(path).and_then(|s| encoding::peek(s, SNIFFED)).map_err(open_error)?;
            if encoding::is_tar(&head) {
                Self::Archive { path: path.to_owned(), parts: archive_parts(path, stream)? }
            } else {
                Self::File { path: path.to_owned(), part: file_part(path, &head)? }
            }
        };
        if layout.parts().is_empty() {
            return Err(CollectError::NoCapture { path: path.to_owned() });
        }
        Ok(layout)
    }
}

/// Opens a file and decompresses it if need be.
pub(super) fn open(path: &Path) -> io::Result<Decoded<'static>> {
    encoding::decode(File::open(path)?)
}

/// The source that a file name stands for: `audit.log`, `audit.log.zst`, ….
pub(super) fn source_of_name(path: &Path) -> Option<Source> {
    let name = path.file_name()?.to_str()?;
    let plain = name.strip_suffix(".zst").unwrap_or(name);
    Source::ALL.into_iter().find(|source| source.file_name() == plain)
}

/// The plain file wins over the compressed one: who unpacked a file wants that one read.
fn folder_parts(folder: &Path) -> Vec<Part> {
    let mut parts = Vec::new();
    for source in Source::ALL {
        let plain = source.file_name().to_owned();
        let compressed = format!("{plain}.zst");
        if let Some(name) = [plain, compressed].into_iter().find(|name| folder.join(name).exists()) {
            parts.push(Part { source, name });
        }
    }
    parts
}

/// A broken archive still gives the members before the break.
fn archive_parts(path: &Path, stream: impl Read) -> Result<Vec<Part>, CollectError> {
    let mut parts: Vec<Part> = Vec::new();
    let mut archive = tar::Archive::new(stream);
    let entries = archive.entries().map_err(|source| CollectError::Open { path: path.to_owned(), source })?;
    for entry in entries {
        let Ok(entry) = entry else { break };
        let Some(part) = member_part(&entry) else { continue };
        if let Some(other) = parts.iter().find(|other| other.source == part.source) {
            return Err(CollectError::SeveralCaptures {
                path: path.to_owned(),
                first: other.name.clone(),
                second: part.name,
            });
        }
        parts.push(part);
    }
    Ok(parts)
}

/// What a member of an archive is, if it is a file of a capture.
pub(super) fn member_part<R: Read>(entry: &tar::Entry<'_, R>) -> Option<Part> {
    if !entry.header().entry_type().is_file() {
        return None;
    }
    let path = entry.path().ok()?;
    let source = source_of_name(&path)?;
    Some(Part { source, name: path.to_string_lossy().into_owned() })
}

/// The first line says what a file is; its name is asked only where the line does not tell.
fn file_part(path: &Path, head: &[u8]) -> Result<Part, CollectError> {
    let source = sniff(head)
        .or_else(|| source_of_name(path))
        .ok_or_else(|| CollectError::UnknownFile { path: path.to_owned() })?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(Part { source, name })
}

fn sniff(head: &[u8]) -> Option<Source> {
    let text = head.trim_ascii_start();
    let first_line = text.split(|byte| *byte == b'\n').next()?;
    let has = |needle: &str| memchr::memmem::find(first_line, needle.as_bytes()).is_some();
    if !first_line.starts_with(b"{") {
        return None;
    }
    if has("\"audit.k8s.io/") {
        return Some(Source::Audit);
    }
    if has("\"observedUnixNano\"") {
        return Some(Source::Watch);
    }
    has("\"resourceSpans\"").then_some(Source::Otlp)
}
