//! What is wrong with a query, and where.

use std::fmt;

/// A query that cannot be answered: it is no `TraceQL`, or a part of it that clew does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceqlError {
    /// The character at which it stands, counted from one.
    pub position: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl TraceqlError {
    /// What is wrong at a byte of the text.
    pub(super) fn at(text: &str, byte: usize, message: impl Into<String>) -> Self {
        let position = text.char_indices().take_while(|(start, _)| *start < byte).count() + 1;
        Self { position, message: message.into() }
    }
}

impl fmt::Display for TraceqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad TraceQL at position {}: {}", self.position, self.message)
    }
}

impl std::error::Error for TraceqlError {}
