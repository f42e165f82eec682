//! Reading a capture line by line.

use std::ops::ControlFlow;
use std::path::Path;

use serde::Serialize;

use super::layout::{self, Layout, Part};
use super::lines::{self, Piece};
use super::{BadLines, Source, Sources, encoding};
use crate::CollectError;

/// The longest line that is read, in bytes: an etcd object of 1.5 MB and its audit event are far below.
pub const DEFAULT_MAX_LINE: usize = 64 * 1024 * 1024;

/// A recording of facts, opened for reading.
#[derive(Debug)]
pub struct Capture {
    layout: Layout,
}

/// One line of a capture.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The source that recorded it.
    pub source: Source,
    /// The file that it stands in, as shown to people.
    pub file: &'a str,
    /// Its number in that file, from 1.
    pub number: u64,
    /// The line without its end.
    pub bytes: &'a [u8],
}

/// Which part of a capture is read, and how.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions {
    /// The sources to read.
    pub sources: Sources,
    /// The longest line that is passed on, in bytes; longer ones are counted as bad.
    pub max_line: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { sources: Sources::ALL, max_line: DEFAULT_MAX_LINE }
    }
}

/// How much was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReadSummary {
    /// Files opened.
    pub files: u64,
    /// Lines passed to the visitor.
    pub lines: u64,
    /// Bytes in those lines.
    pub bytes: u64,
}

/// The visitor of a capture: gets each line, and the collector to report it to if it is bad.
pub type Visit<'v> = dyn FnMut(Line<'_>, &mut BadLines) -> ControlFlow<()> + 'v;

impl Capture {
    /// Opens a folder, a `.tar` or `.tar.zst` of one, or a single file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, CollectError> {
        Ok(Self { layout: Layout::find(path.as_ref())? })
    }

    /// The sources that were recorded.
    pub fn sources(&self) -> Sources {
        self.layout.parts().iter().fold(Sources::NONE, |sources, part| sources.with(part.source))
    }

    /// Passes every line of the chosen sources to `visit`, file by file, until it breaks.
    ///
    /// Never fails: what cannot be read is counted in `bad`. May be called again; each call starts anew.
    pub fn read(&self, options: &ReadOptions, bad: &mut BadLines, visit: &mut Visit<'_>) -> ReadSummary {
        let mut reading = Reading { options, bad, visit, summary: ReadSummary::default() };
        match &self.layout {
            Layout::Folder { path, parts } => reading.folder(path, parts),
            Layout::Archive { path, parts } => reading.archive(path, parts),
            Layout::File { path, part } => {
                let _ = reading.file(path, part);
            }
        }
        reading.summary
    }
}

struct Reading<'a, 'v> {
    options: &'a ReadOptions,
    bad: &'a mut BadLines,
    visit: &'a mut Visit<'v>,
    summary: ReadSummary,
}

impl Reading<'_, '_> {
    fn folder(&mut self, folder: &Path, parts: &[Part]) {
        for part in parts {
            if self.file(&folder.join(&part.name), part).is_break() {
                return;
            }
        }
    }

    fn file(&mut self, path: &Path, part: &Part) -> ControlFlow<()> {
        if !self.options.sources.contains(part.source) {
            return ControlFlow::Continue(());
        }
        match layout::open(path) {
            Ok(stream) => self.stream(stream, part),
            Err(error) => {
                self.bad.break_off(part.source, &part.name, format_args!("cannot be read: {error}"));
                ControlFlow::Continue(())
            }
        }
    }

    fn archive(&mut self, path: &Path, parts: &[Part]) {
        if let Err(error) = self.members(path) {
            // The member at the break, if any, has its own entry; this one is about what may follow.
            let source = parts.last().map_or(Source::Audit, |part| part.source);
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            self.bad.break_off(source, &name, format_args!("archive breaks off: {error}"));
        }
    }

    fn members(&mut self, path: &Path) -> std::io::Result<()> {
        let mut archive = tar::Archive::new(layout::open(path)?);
        for entry in archive.entries()? {
            let entry = entry?;
            let Some(part) = layout::member_part(&entry) else {
                continue;
            };
            if !self.options.sources.contains(part.source) {
                continue;
            }
            if self.stream(encoding::decode(entry)?, &part).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn stream(&mut self, stream: encoding::Decoded<'_>, part: &Part) -> ControlFlow<()> {
        self.summary.files += 1;
        let Self { options, bad, visit, summary } = self;
        let (source, file) = (part.source, part.name.as_str());
        let mut flow = ControlFlow::Continue(());
        let (lines, error) = lines::split(stream, options.max_line, &mut |number, piece| {
            match piece {
                Piece::Whole(bytes) => {
                    summary.lines += 1;
                    summary.bytes += bytes.len() as u64;
                    flow = visit(Line { source, file, number, bytes }, bad);
                }
                Piece::TooLong => {
                    let max = options.max_line;
                    bad.report_at(source, file, number, format_args!("longer than {max} bytes"));
                }
            }
            flow
        });
        if let Some(error) = error {
            bad.break_off(source, file, format_args!("breaks off after line {lines}: {error}"));
        }
        flow
    }
}
