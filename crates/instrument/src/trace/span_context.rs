//! What of a span travels between processes.

use crate::ids::{SpanId, TraceId};
use http::HeaderValue;
use std::sync::Arc;

/// A span's identity and whether it is sampled.
#[derive(Clone, Debug)]
pub struct SpanContext {
    pub(crate) trace_id: TraceId,
    pub(crate) span_id: SpanId,
    pub(crate) flags: u8,
    pub(crate) remote: bool,
    /// As it came, for spans that are recorded and for links.
    pub(crate) trace_state: Option<Arc<HeaderValue>>,
}

/// The bit of the trace flags that says "sampled".
pub(crate) const SAMPLED: u8 = 1;

impl SpanContext {
    /// The identity of no span.
    pub const NONE: Self =
        Self { trace_id: TraceId::INVALID, span_id: SpanId::INVALID, flags: 0, remote: false, trace_state: None };

    /// A context that came from another process.
    pub fn remote(trace_id: TraceId, span_id: SpanId, sampled: bool) -> Self {
        Self { trace_id, span_id, flags: u8::from(sampled), remote: true, trace_state: None }
    }

    /// The trace that the span belongs to.
    pub fn trace_id(&self) -> TraceId {
        self.trace_id
    }

    /// The span.
    pub fn span_id(&self) -> SpanId {
        self.span_id
    }

    /// Whether the trace is recorded.
    pub fn is_sampled(&self) -> bool {
        self.flags & SAMPLED != 0
    }

    /// Whether it came from another process.
    pub fn is_remote(&self) -> bool {
        self.remote
    }

    /// Whether this names a span at all.
    pub fn is_valid(&self) -> bool {
        self.trace_id.is_valid() && self.span_id.is_valid()
    }

    /// The trace state that travels along, empty when there is none or when it is not valid.
    pub fn trace_state(&self) -> String {
        parse_trace_state(self.trace_state.as_deref()).map(|state| state.to_string()).unwrap_or_default()
    }
}

/// The trace state of a header, if it is valid and says anything.
pub(crate) fn parse_trace_state(value: Option<&HeaderValue>) -> Option<clew_model::TraceState> {
    let state = clew_model::TraceState::from_headers([value?.to_str().ok()?]).ok()?;
    (!state.is_empty()).then_some(state)
}

impl Default for SpanContext {
    fn default() -> Self {
        Self::NONE
    }
}
