//! A span, as OTLP carries it and as clew makes it.

use std::sync::Arc;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use crate::{Attributes, SpanId, Time, TraceContext, TraceId};

/// One span: a piece of work with a beginning, and an end once it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The trace that the span belongs to.
    pub trace_id: TraceId,
    /// The span's own id.
    pub span_id: SpanId,
    /// The span that it is part of; none for a root.
    pub parent: Option<SpanId>,
    /// The W3C tracestate, as received.
    pub trace_state: CompactString,
    /// The W3C flags in the low byte, OTLP's own above.
    pub flags: u32,
    /// What the work is.
    pub name: CompactString,
    /// Which side of a call it is.
    pub kind: SpanKind,
    /// When it began.
    pub start: Time,
    /// When it ended; none while it goes on.
    pub end: Option<Time>,
    /// How it ended.
    pub status: Status,
    /// What is known about it.
    pub attributes: Attributes,
    /// What happened on the way.
    pub events: Vec<SpanEvent>,
    /// Other spans that it has to do with.
    pub links: Vec<SpanLink>,
    /// Who made the span; shared by all spans of one source.
    pub resource: Arc<Attributes>,
    /// Which library made the span.
    pub scope: Arc<str>,
}

impl Span {
    /// A span with its identity and beginning, and everything else empty.
    ///
    /// ```
    /// use clew_model::{Span, SpanId, Time, TraceId};
    ///
    /// let mut span = Span::new(
    ///     TraceId::from_bytes([1; 16]),
    ///     SpanId::from_bytes([2; 8]),
    ///     "create pods",
    ///     Time::from_nanos(5),
    /// );
    /// span.end = Some(Time::from_nanos(9));
    /// assert_eq!(span.duration(), Some(4));
    /// ```
    pub fn new(trace_id: TraceId, span_id: SpanId, name: impl Into<CompactString>, start: Time) -> Self {
        Self {
            trace_id,
            span_id,
            parent: None,
            trace_state: CompactString::default(),
            flags: 0,
            name: name.into(),
            kind: SpanKind::Internal,
            start,
            end: None,
            status: Status::default(),
            attributes: Attributes::new(),
            events: Vec::new(),
            links: Vec::new(),
            resource: Arc::default(),
            scope: Arc::from(""),
        }
    }

    /// Nanoseconds from beginning to end; none while it goes on, zero if the clocks disagree.
    pub fn duration(&self) -> Option<i64> {
        self.end.map(|end| end.since(self.start).max(0))
    }
}

/// Something that happened at one moment of a span.
#[derive(Debug, Clone, PartialEq)]
pub struct SpanEvent {
    /// When it happened.
    pub time: Time,
    /// What happened.
    pub name: CompactString,
    /// What is known about it.
    pub attributes: Attributes,
}

/// A span of any trace that a span has to do with.
#[derive(Debug, Clone, PartialEq)]
pub struct SpanLink {
    /// The other span's trace.
    pub trace_id: TraceId,
    /// The other span.
    pub span_id: SpanId,
    /// The other span's tracestate, as received.
    pub trace_state: CompactString,
    /// Why it is linked.
    pub attributes: Attributes,
}

impl From<&TraceContext> for SpanLink {
    fn from(context: &TraceContext) -> Self {
        Self {
            trace_id: context.trace_id,
            span_id: context.span_id,
            trace_state: CompactString::from(context.trace_state.to_string()),
            attributes: Attributes::new(),
        }
    }
}

/// Which side of a call a span is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpanKind {
    /// The client did not say.
    #[default]
    Unspecified,
    /// Work inside a process.
    Internal,
    /// A request being served.
    Server,
    /// A request being made.
    Client,
    /// A message being sent.
    Producer,
    /// A message being handled.
    Consumer,
}

impl SpanKind {
    /// Takes OTLP's number; one that OTLP does not define is unspecified.
    pub const fn from_otlp(number: i32) -> Self {
        match number {
            1 => Self::Internal,
            2 => Self::Server,
            3 => Self::Client,
            4 => Self::Producer,
            5 => Self::Consumer,
            _ => Self::Unspecified,
        }
    }

    /// OTLP's number.
    pub const fn to_otlp(self) -> i32 {
        self as i32
    }
}

/// How a span ended, and why if it failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Status {
    /// How it ended.
    pub code: StatusCode,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "CompactString::is_empty")]
    pub message: CompactString,
}

impl Status {
    /// The span failed, for this reason.
    pub fn error(message: impl Into<CompactString>) -> Self {
        Self { code: StatusCode::Error, message: message.into() }
    }
}

/// Whether a span failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatusCode {
    /// Nobody said.
    #[default]
    Unset,
    /// It succeeded, and someone said so.
    Ok,
    /// It failed.
    Error,
}

impl StatusCode {
    /// Takes OTLP's number; one that OTLP does not define is unset.
    pub const fn from_otlp(number: i32) -> Self {
        match number {
            1 => Self::Ok,
            2 => Self::Error,
            _ => Self::Unset,
        }
    }

    /// OTLP's number.
    pub const fn to_otlp(self) -> i32 {
        self as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_otlp_survive() {
        for number in 0..6 {
            assert_eq!(SpanKind::from_otlp(number).to_otlp(), number);
        }
        for number in 0..3 {
            assert_eq!(StatusCode::from_otlp(number).to_otlp(), number);
        }
        assert_eq!(SpanKind::from_otlp(-1), SpanKind::Unspecified);
        assert_eq!(StatusCode::from_otlp(99), StatusCode::Unset);
    }

    #[test]
    fn a_span_that_ends_before_it_starts_lasts_no_time() {
        let mut span = Span::new(TraceId::INVALID, SpanId::INVALID, "x", Time::from_nanos(10));
        assert_eq!(span.duration(), None);
        span.end = Some(Time::from_nanos(3));
        assert_eq!(span.duration(), Some(0));
    }
}
