//! A column of text while it grows.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;

/// A column of text of which many rows may have none: of those that follow each other only the number is noted.
pub(super) struct TextBuilder {
    texts: StringBuilder,
    missing: usize,
}

impl TextBuilder {
    /// No rows, and room for so many with texts of so many bytes.
    pub(super) fn with_room(rows: usize, bytes: usize) -> Self {
        Self { texts: StringBuilder::with_capacity(rows, rows * bytes), missing: 0 }
    }

    pub(super) fn append(&mut self, text: Option<&str>) {
        let Some(text) = text else {
            self.missing += 1;
            return;
        };
        self.catch_up();
        self.texts.append_value(text);
    }

    fn catch_up(&mut self) {
        if self.missing > 0 {
            self.texts.append_nulls(self.missing);
            self.missing = 0;
        }
    }

    pub(super) fn finish(mut self) -> ArrayRef {
        self.catch_up();
        Arc::new(self.texts.finish())
    }
}
