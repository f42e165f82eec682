//! What a request may hold, and what was counted when it held more.

use clew_model::MAX_DEPTH;
use serde::Serialize;

/// What a request, a span and an attribute may hold. The store decodes with the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Spans of a request; the rest are refused.
    pub spans: usize,
    /// Attributes of a span, a resource, an event or a link; the rest are left out.
    pub attributes: usize,
    /// Events of a span; the rest are left out.
    pub events: usize,
    /// Links of a span; the rest are left out.
    pub links: usize,
    /// Bytes of a key; an attribute with a longer one is left out.
    pub key_bytes: usize,
    /// Bytes of a text, which is cut, or of a value that nests, which is left out.
    pub value_bytes: usize,
    /// How deep a value may nest; a span with a deeper one is refused. Never more than the model's own limit.
    pub depth: usize,
    /// Nanoseconds since the epoch; a span that begins earlier is refused. Zero is OTLP's word for an unknown time.
    pub earliest: u64,
    /// Nanoseconds since the epoch; a span that begins later is refused.
    pub latest: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            spans: 65_536,
            attributes: 256,
            events: 256,
            links: 256,
            key_bytes: 512,
            value_bytes: 32 * 1024,
            depth: MAX_DEPTH,
            earliest: 1,
            latest: u64::MAX,
        }
    }
}

/// Why a span was refused, or what of it was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum Reason {
    /// Refused: its trace id, span id or parent is none.
    Id,
    /// Refused: it begins at no time, or too far in the future.
    Time,
    /// Refused: a text is not UTF-8.
    Utf8,
    /// Refused: a value nests too deep.
    Depth,
    /// Refused: the request has too many spans.
    Spans,
    /// Left out: attributes past the limit, with too long a key, or with too large a value.
    Attributes,
    /// Left out: events past the limit.
    Events,
    /// Left out: links past the limit, or without ids.
    Links,
    /// Cut: a text that is too long.
    Length,
}

impl Reason {
    /// Every reason, those of refusal first.
    pub const ALL: [Self; 9] = [
        Self::Id,
        Self::Time,
        Self::Utf8,
        Self::Depth,
        Self::Spans,
        Self::Attributes,
        Self::Events,
        Self::Links,
        Self::Length,
    ];

    /// The word for it, as metrics label it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Time => "time",
            Self::Utf8 => "utf8",
            Self::Depth => "depth",
            Self::Spans => "spans",
            Self::Attributes => "attributes",
            Self::Events => "events",
            Self::Links => "links",
            Self::Length => "length",
        }
    }

    /// Whether the span as a whole was refused.
    pub const fn is_refusal(self) -> bool {
        matches!(self, Self::Id | Self::Time | Self::Utf8 | Self::Depth | Self::Spans)
    }
}

/// How many spans there were, and what was refused or left out, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Spans that were taken.
    pub taken: u64,
    by_reason: [u64; Reason::ALL.len()],
}

impl Counts {
    /// How often it happened for this reason.
    pub fn of(&self, reason: Reason) -> u64 {
        self.by_reason[reason as usize]
    }

    /// Spans that were refused.
    pub fn refused(&self) -> u64 {
        Reason::ALL.into_iter().filter(|reason| reason.is_refusal()).map(|reason| self.of(reason)).sum()
    }

    pub(super) fn add(&mut self, reason: Reason, count: u64) {
        self.by_reason[reason as usize] += count;
    }

    /// The reasons for which spans were refused, for people.
    pub fn describe(&self) -> String {
        let parts = Reason::ALL.into_iter().filter(|reason| reason.is_refusal() && self.of(*reason) > 0);
        let parts = parts.map(|reason| format!("{} {}", self.of(reason), words(reason)));
        parts.collect::<Vec<_>>().join(", ")
    }
}

fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Id => "with an invalid trace id, span id or parent",
        Reason::Time => "without a start time, or with one too far in the future",
        Reason::Utf8 => "with text that is not UTF-8",
        Reason::Depth => "with attributes nested too deep",
        Reason::Spans => "over the limit of spans in one request",
        Reason::Attributes | Reason::Events | Reason::Links | Reason::Length => "cut short",
    }
}
