//! Where in which trace something happens.

use crate::w3c::{TraceState, traceparent};
use crate::{Result, SpanId, TraceId};

/// A trace context: what a request, an annotation or the environment carries from one process to the next.
///
/// ```
/// use clew_model::TraceContext;
///
/// let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// let context = TraceContext::parse_traceparent(text)?;
/// assert!(context.is_sampled());
/// assert_eq!(context.traceparent(), text);
/// # Ok::<(), clew_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TraceContext {
    /// The trace; never the zero id when it comes out of a codec.
    pub trace_id: TraceId,
    /// The span that is the parent of what follows; never the zero id when it comes out of a codec.
    pub span_id: SpanId,
    /// The W3C flags: [`TraceContext::SAMPLED`], [`TraceContext::RANDOM`].
    pub flags: u8,
    /// What other tracing systems keep on the way.
    pub trace_state: TraceState,
}

impl TraceContext {
    /// The flag that says that the caller may have recorded the trace.
    pub const SAMPLED: u8 = 0x01;
    /// The flag that says that the trace id's last seven bytes are random enough to sample by.
    pub const RANDOM: u8 = 0x02;

    /// A context without tracestate.
    pub const fn new(trace_id: TraceId, span_id: SpanId, flags: u8) -> Self {
        Self { trace_id, span_id, flags, trace_state: TraceState::new() }
    }

    /// Reads a `traceparent`, exactly: white space around it is the carrier's to remove.
    pub fn parse_traceparent(text: &str) -> Result<Self> {
        traceparent::parse(text)
    }

    /// The `traceparent` of this context, in version 00 and with only the flags that W3C defines.
    pub fn traceparent(&self) -> String {
        traceparent::format(self)
    }

    /// Whether the caller may have recorded the trace.
    pub const fn is_sampled(&self) -> bool {
        self.flags & Self::SAMPLED != 0
    }

    /// Whether both ids name something.
    pub fn is_valid(&self) -> bool {
        self.trace_id.is_valid() && self.span_id.is_valid()
    }
}
