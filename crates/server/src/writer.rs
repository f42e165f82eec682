//! JSON piece by piece, as it lies: serde's way, field by field, takes twice as long, and somebody waits for a trace of
//! thousands.

use serde::Serialize;
use serde_json::Result;

/// JSON while it is written.
#[derive(Debug)]
pub(crate) struct Writer<'a>(pub(crate) &'a mut Vec<u8>);

impl Writer<'_> {
    /// Writes what is JSON.
    pub(crate) fn put(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    /// Writes a comma, unless a list or an object begins here.
    pub(crate) fn next(&mut self) {
        if !matches!(self.0.last(), None | Some(b'[' | b'{')) {
            self.0.push(b',');
        }
    }

    /// Writes a text with its quotes.
    pub(crate) fn text(&mut self, text: &str) -> Result<()> {
        // Looked at as a whole, which the compiler does many bytes at a time: hardly any text has such a byte.
        if text.bytes().fold(false, |found, byte| found | is_special(byte)) {
            return self.value(text);
        }
        self.put("\"");
        self.put(text);
        self.put("\"");
        Ok(())
    }

    /// Writes what is rare, or short.
    pub(crate) fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        serde_json::to_writer(&mut *self.0, value)
    }
}

fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}
