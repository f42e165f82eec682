//! A place in the pieces of a query, and the limits on how much of them there may be.

use crate::traceql::error::TraceqlError;
use crate::traceql::token::{Piece, Token};

/// How deep brackets may nest: each costs stack.
const MAX_DEPTH: usize = 64;
/// How many operators a query may have: a chain of them is as deep as it is long.
const MAX_OPERATORS: usize = 256;

/// A place in the pieces of a query.
pub(super) struct Cursor<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    place: usize,
    depth: usize,
    operators: usize,
}

impl<'a> Cursor<'a> {
    /// The first piece; the last must be the end.
    pub(super) fn new(text: &'a str, tokens: Vec<Token>) -> Self {
        Self { text, tokens, place: 0, depth: 0, operators: 0 }
    }

    /// The next piece.
    pub(super) fn peek(&self) -> &Piece {
        self.tokens.get(self.place).map_or(&Piece::End, |token| &token.piece)
    }

    /// Takes the next piece.
    pub(super) fn next(&mut self) -> Piece {
        let piece = self.peek().clone();
        self.place += 1;
        piece
    }

    /// Takes the symbol if it comes next.
    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let next = matches!(self.peek(), Piece::Symbol(next) if *next == symbol);
        self.place += usize::from(next);
        next
    }

    /// Takes the word if it comes next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let next = matches!(self.peek(), Piece::Word(next) if next == word);
        self.place += usize::from(next);
        next
    }

    /// Takes the symbol, which must come next.
    pub(super) fn expect(&mut self, symbol: &str, after: &str) -> Result<(), TraceqlError> {
        if self.take(symbol) {
            return Ok(());
        }
        Err(self.fault(format!("`{symbol}` is expected {after}, not {}", self.peek())))
    }

    /// What is wrong with the next piece.
    pub(super) fn fault(&self, message: impl Into<String>) -> TraceqlError {
        self.fault_at(self.place, message)
    }

    /// What is wrong with the piece that was taken last.
    pub(super) fn fault_before(&self, message: impl Into<String>) -> TraceqlError {
        self.fault_at(self.place.saturating_sub(1), message)
    }

    fn fault_at(&self, place: usize, message: impl Into<String>) -> TraceqlError {
        let byte = self.tokens.get(place).map_or(self.text.len(), |token| token.at);
        TraceqlError::at(self.text, byte, message)
    }

    /// Goes one bracket deeper; [`Cursor::leave`] comes back.
    pub(super) fn enter(&mut self) -> Result<(), TraceqlError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fault(format!("brackets are nested deeper than {MAX_DEPTH}: write it flatter")));
        }
        Ok(())
    }

    /// Comes back from a bracket.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts one operator more.
    pub(super) fn operator(&mut self) -> Result<(), TraceqlError> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err(self.fault_before(format!("a query has at most {MAX_OPERATORS} operators: ask for less")));
        }
        Ok(())
    }
}
