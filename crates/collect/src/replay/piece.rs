//! What a line of a capture holds, and when it was told.

use clew_model::{Span, Time};
use clew_weave::fact::Fact;

use crate::capture::{Line, Source};
use crate::decode::{Decoder, otlp};

/// A fact, or a native span as it was received.
#[derive(Debug)]
pub(super) enum Piece {
    Fact(Fact),
    Span(Box<Span>),
}

impl Piece {
    /// When it was told: a span when it has ended.
    pub(super) fn told(&self) -> Time {
        match self {
            Self::Fact(fact) => fact.time(),
            Self::Span(span) => span.end.unwrap_or(span.start),
        }
    }

    /// Decodes a line.
    pub(super) fn of_line(decoder: &Decoder, line: Line<'_>) -> Result<Vec<Self>, serde_json::Error> {
        if line.source == Source::Otlp {
            return Ok(otlp::spans(line.bytes)?.into_iter().map(|span| Self::Span(Box::new(span))).collect());
        }
        let mut facts = Vec::new();
        decoder.line(line.source, line.bytes, &mut facts)?;
        Ok(facts.into_iter().map(Self::Fact).collect())
    }
}
