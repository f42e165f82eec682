//! Cutting chunks of bytes, as they arrive, into lines of bounded length.

/// The longest line that is taken from a live source, in bytes.
pub(crate) const MAX_LINE: usize = 64 * 1024 * 1024;

/// Holds the start of a line until its end arrives.
#[derive(Debug)]
pub(crate) struct LineBuffer {
    held: Vec<u8>,
    max: usize,
    skipping: bool,
}

/// What one chunk completed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Completed {
    /// Whole lines without their ends; blank ones are left out.
    pub(crate) lines: Vec<String>,
    /// Lines that were too long or no UTF-8.
    pub(crate) bad: u64,
}

impl LineBuffer {
    pub(crate) fn new(max: usize) -> Self {
        Self { held: Vec::new(), max, skipping: false }
    }

    /// Takes the next chunk.
    pub(crate) fn push(&mut self, mut chunk: &[u8]) -> Completed {
        let mut completed = Completed::default();
        while let Some(end) = memchr::memchr(b'\n', chunk) {
            self.hold(&chunk[..end]);
            self.complete(&mut completed);
            chunk = &chunk[end + 1..];
        }
        self.hold(chunk);
        completed
    }

    /// Forgets the line that has begun, when the rest of it cannot come any more; tells whether there was one.
    pub(crate) fn abandon(&mut self) -> bool {
        let had = self.skipping || !self.held.is_empty();
        self.held.clear();
        self.skipping = false;
        had
    }

    /// How much of a line has begun and not ended.
    pub(crate) fn held(&self) -> usize {
        self.held.len()
    }

    fn hold(&mut self, part: &[u8]) {
        if self.skipping || self.held.len() + part.len() > self.max {
            self.skipping = true;
            self.held = Vec::new();
            return;
        }
        self.held.extend_from_slice(part);
    }

    fn complete(&mut self, completed: &mut Completed) {
        let line = std::mem::take(&mut self.held);
        if std::mem::take(&mut self.skipping) {
            completed.bad += 1;
            return;
        }
        match String::from_utf8(line) {
            Ok(line) if line.trim().is_empty() => {}
            Ok(line) => completed.lines.push(line),
            Err(_) => completed.bad += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_whole_however_they_are_cut() {
        let text = b"one\ntwo\n\n\xff\nlonger than ten\nend\nhalf";
        for size in 1..text.len() {
            let mut buffer = LineBuffer::new(10);
            let mut all = Completed::default();
            for chunk in text.chunks(size) {
                let completed = buffer.push(chunk);
                all.lines.extend(completed.lines);
                all.bad += completed.bad;
            }
            assert_eq!(all.lines, ["one", "two", "end"], "chunks of {size}");
            assert_eq!(all.bad, 2, "chunks of {size}");
            assert!(buffer.abandon() && !buffer.abandon());
        }
    }
}
