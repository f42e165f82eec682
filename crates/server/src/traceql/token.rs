//! The pieces of a query.

use compact_str::CompactString;

use super::ast::{Scope, Static};

/// One piece of a query and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    /// The byte at which it begins.
    pub(super) at: usize,
    /// What it is.
    pub(super) piece: Piece,
}

/// What a piece of a query is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// An operator, a bracket or a comma, as it is written.
    Symbol(&'static str),
    /// A word such as `duration`, `rate` or `trace:id`.
    Word(CompactString),
    /// An attribute.
    Attribute(Scope, CompactString),
    /// A text or a number.
    Value(Static),
    /// There is no more.
    End,
}

impl std::fmt::Display for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Symbol(symbol) => write!(f, "`{symbol}`"),
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Attribute(_, key) => write!(f, "the attribute `{key}`"),
            Self::Value(Static::Text(_)) => f.write_str("a text"),
            Self::Value(_) => f.write_str("a number"),
            Self::End => f.write_str("the end"),
        }
    }
}
