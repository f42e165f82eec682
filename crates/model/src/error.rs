//! What can be wrong with what a client sent.

use compact_str::CompactString;

/// The outcome of decoding something that a client sent.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a text could not be understood, and what it should have been.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A trace, span or command id that is not lower-case hexadecimal of the right length.
    #[error("cannot read the {kind}: expected {expected} lower-case hexadecimal digits")]
    Id {
        /// Which id was meant.
        kind: &'static str,
        /// How many digits it has.
        expected: usize,
    },
    /// A time that is not RFC 3339, or that lies outside the years 1678 to 2261.
    #[error("cannot read the time: {0}; expected RFC 3339 such as 2026-01-02T03:04:05.678Z")]
    Time(&'static str),
    /// A `traceparent` that the W3C text tells to ignore.
    #[error("cannot read traceparent: {0}; the trace starts anew")]
    TraceParent(&'static str),
    /// A `tracestate` that the W3C text tells to discard as a whole.
    #[error("cannot read tracestate: {0}; it is discarded")]
    TraceState(&'static str),
    /// A `baggage` that is not in the W3C form.
    #[error("cannot read baggage: {0}; it is discarded")]
    Baggage(&'static str),
    /// An annotation that does not hold what its key promises.
    #[error("cannot read annotation {key}: {reason}")]
    Annotation {
        /// The annotation's key.
        key: CompactString,
        /// What is wrong with its value.
        reason: &'static str,
    },
    /// A word that names no evidence.
    #[error("cannot read the evidence: expected context, identity, ownership, reference or timing")]
    Evidence,
}
