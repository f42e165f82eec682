//! Trace and span ids: clew's own types, and the only place where this crate draws random ones.

pub use clew_model::{SpanId, TraceId};

/// A new random trace id, never the invalid one.
#[inline]
pub(crate) fn new_trace_id() -> TraceId {
    let value = fastrand::u128(1..);
    TraceId::from_bytes(value.to_be_bytes())
}

/// A new random span id, never the invalid one.
#[inline]
pub(crate) fn new_span_id() -> SpanId {
    let value = fastrand::u64(1..);
    SpanId::from_bytes(value.to_be_bytes())
}
