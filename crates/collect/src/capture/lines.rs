//! Splitting a stream into lines of bounded length, without an allocation for each line.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// One line of a stream, or the fact that there was one too long to be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Whole(&'a [u8]),
    TooLong,
}

/// Calls `visit` for every line that is not blank, with its number from 1.
///
/// Returns the number of lines seen, and the error that broke the stream off, if any. What stands between the last
/// line end and such an error is half a line, and is left out; at a plain end it is the last line.
pub(super) fn split(
    mut reader: impl BufRead,
    max_line: usize,
    visit: &mut dyn FnMut(u64, Piece<'_>) -> ControlFlow<()>,
) -> (u64, Option<io::Error>) {
    let mut number = 0;
    let mut held = Held::default();
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return (number, Some(error)),
        };
        if chunk.is_empty() {
            if held.is_started() {
                number += 1;
                let _ = emit(number, held.finish(b"", max_line), visit);
            }
            return (number, None);
        }
        let Some(end) = memchr::memchr(b'\n', chunk) else {
            let length = chunk.len();
            held.push(chunk, max_line);
            reader.consume(length);
            continue;
        };
        number += 1;
        let flow = emit(number, held.finish(&chunk[..end], max_line), visit);
        held.clear();
        reader.consume(end + 1);
        if flow.is_break() {
            return (number, None);
        }
    }
}

fn emit(number: u64, piece: Piece<'_>, visit: &mut dyn FnMut(u64, Piece<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
    match piece {
        Piece::TooLong => visit(number, Piece::TooLong),
        Piece::Whole(bytes) => {
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            if bytes.trim_ascii().is_empty() {
                return ControlFlow::Continue(());
            }
            visit(number, Piece::Whole(bytes))
        }
    }
}

/// The start of a line whose end is not yet read.
#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    too_long: bool,
}

impl Held {
    fn is_started(&self) -> bool {
        self.too_long || !self.bytes.is_empty()
    }

    fn push(&mut self, part: &[u8], max_line: usize) {
        if self.too_long || self.bytes.len() + part.len() > max_line {
            self.too_long = true;
            self.bytes = Vec::new();
            return;
        }
        self.bytes.extend_from_slice(part);
    }

    /// The whole line, given its last part: borrowed from the part where nothing is held.
    fn finish<'a>(&'a mut self, part: &'a [u8], max_line: usize) -> Piece<'a> {
        if !self.is_started() && part.len() <= max_line {
            return Piece::Whole(part);
        }
        self.push(part, max_line);
        if self.too_long { Piece::TooLong } else { Piece::Whole(&self.bytes) }
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.too_long = false;
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(text: &[u8], chunk: usize, max_line: usize) -> Vec<(u64, Option<Vec<u8>>)> {
        let mut seen = Vec::new();
        let (_, error) = split(BufReader::with_capacity(chunk, text), max_line, &mut |number, piece| {
            seen.push(match piece {
                Piece::Whole(bytes) => (number, Some(bytes.to_vec())),
                Piece::TooLong => (number, None),
            });
            ControlFlow::Continue(())
        });
        assert!(error.is_none());
        seen
    }

    #[test]
    fn lines_are_the_same_for_every_chunk_size() {
        let text = b"one\r\n\n  \ntwo and more\nlast";
        for chunk in 1..30 {
            let expected =
                [(1, Some(b"one".to_vec())), (4, Some(b"two and more".to_vec())), (5, Some(b"last".to_vec()))];
            assert_eq!(lines(text, chunk, 100), expected, "chunk of {chunk}");
        }
    }

    #[test]
    fn a_line_over_the_limit_is_skipped_and_the_next_is_read() {
        for chunk in 1..30 {
            let expected = [(1, Some(b"12345".to_vec())), (2, None), (3, Some(b"ok".to_vec()))];
            assert_eq!(lines(b"12345\n123456\nok\n", chunk, 5), expected, "chunk of {chunk}");
        }
    }
}
