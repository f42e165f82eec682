//! JSON piece by piece, as it lies: serde's way, field by field, takes twice as long, and somebody waits for a trace of
//! thousands.

use std::ops::Range;

use clew_model::{Attributes, SpanId, Time, TraceId, json};
use serde::Serialize;
use serde_json::Result;

/// How many lists of attributes are remembered: spans that lie together were made by a few.
const REMEMBERED: usize = 8;

/// JSON while it is written.
#[derive(Debug, Default)]
pub(crate) struct Writer<'a> {
    out: Vec<u8>,
    /// Attributes that many spans share, and where they were written last.
    shared: Vec<(&'a Attributes, Range<usize>)>,
}

impl<'a> Writer<'a> {
    /// Nothing yet, with room for so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes), shared: Vec::new() }
    }

    /// What was written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Writes what is JSON.
    pub(crate) fn put(&mut self, json: &str) {
        self.out.extend_from_slice(json.as_bytes());
    }

    /// Writes a comma, unless a list or an object begins here.
    pub(crate) fn next(&mut self) {
        if !matches!(self.out.last(), None | Some(b'[' | b'{')) {
            self.out.push(b',');
        }
    }

    /// Writes a text with its quotes.
    pub(crate) fn text(&mut self, text: &str) -> Result<()> {
        if !json::is_plain(text) {
            return self.value(text);
        }
        self.out.reserve(text.len() + 2);
        self.put("\"");
        self.put(text);
        self.put("\"");
        Ok(())
    }

    pub(crate) fn trace_id(&mut self, id: TraceId) {
        self.quoted(|out| id.write_hex(out));
    }

    pub(crate) fn span_id(&mut self, id: SpanId) {
        self.quoted(|out| id.write_hex(out));
    }

    pub(crate) fn time(&mut self, time: Time) {
        self.quoted(|out| time.write_rfc3339(out));
    }

    fn quoted(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.out.push(b'"');
        write(&mut self.out);
        self.out.push(b'"');
    }

    /// Writes what is rare, or short.
    pub(crate) fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        serde_json::to_writer(&mut self.out, value)
    }

    /// Writes attributes that many spans share; where they were written already, they are copied.
    pub(crate) fn shared(&mut self, shared: &'a Attributes, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let known = self.shared.iter().find(|(known, _)| std::ptr::eq(*known, shared));
        if let Some((_, written)) = known {
            self.out.extend_from_within(written.clone());
            return Ok(());
        }
        let start = self.out.len();
        write(self)?;
        if self.shared.len() == REMEMBERED {
            self.shared.remove(0);
        }
        self.shared.push((shared, start..self.out.len()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_written_once_and_copied_while_it_is_remembered() {
        let all: Vec<Attributes> = (0..=REMEMBERED).map(|_| Attributes::new()).collect();
        let mut writer = Writer::default();
        let mut written = Vec::new();
        for place in [0, 0, 1, 0, 2, 3, 4, 5, 6, 7, 8, 0] {
            let write = |out: &mut Writer<'_>| {
                written.push(place);
                out.value(&place)
            };
            writer.shared(&all[place], write).unwrap();
        }
        assert_eq!(written, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0]);
        assert_eq!(writer.into_bytes(), b"001023456780");
    }
}
