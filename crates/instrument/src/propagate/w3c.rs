//! W3C trace context and baggage, by clew's own codec.

use crate::trace::{Context, SpanContext};
use clew_model::TraceContext;
use http::{HeaderMap, HeaderName, HeaderValue};

static TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
static TRACESTATE: HeaderName = HeaderName::from_static("tracestate");
static BAGGAGE: HeaderName = HeaderName::from_static("baggage");

/// The longest baggage that travels (W3C's minimum that everyone must carry).
const MAX_BAGGAGE: usize = 8192;

pub(super) fn extract(headers: &HeaderMap, context: &mut Context) {
    let mut values = headers.get_all(&TRACEPARENT).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return };
    let Some(parsed) = value.to_str().ok().and_then(|text| TraceContext::parse_traceparent(text).ok()) else { return };
    context.span = SpanContext {
        trace_id: parsed.trace_id,
        span_id: parsed.span_id,
        flags: parsed.flags,
        remote: true,
        trace_state: None,
    };
    context.carried.set_trace_state(joined(headers, &TRACESTATE));
}

pub(super) fn extract_baggage(headers: &HeaderMap, context: &mut Context) {
    context.carried.set_baggage(joined(headers, &BAGGAGE).filter(|value| value.len() <= MAX_BAGGAGE));
}

pub(super) fn inject(context: &Context, headers: &mut HeaderMap) {
    let span = &context.span;
    let parent = TraceContext::new(span.trace_id, span.span_id, span.flags).traceparent();
    if let Ok(value) = HeaderValue::from_str(&parent) {
        headers.insert(&TRACEPARENT, value);
    }
    headers.remove(&TRACESTATE);
    let state = context.trace_state();
    if let Some(value) = (!state.is_empty()).then(|| HeaderValue::from_str(&state).ok()).flatten() {
        headers.insert(&TRACESTATE, value);
    }
}

pub(super) fn inject_baggage(context: &Context, headers: &mut HeaderMap) {
    let baggage = context.baggage();
    if baggage.is_empty() {
        return;
    }
    if let Ok(value) = HeaderValue::from_str(&baggage.to_string()) {
        headers.insert(&BAGGAGE, value);
    }
}

/// The value of a header that may come in several lines; one line, the usual case, is shared and not copied.
fn joined(headers: &HeaderMap, name: &HeaderName) -> Option<HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    let Some(second) = values.next() else { return Some(first.clone()) };
    let mut all = first.as_bytes().to_vec();
    for value in std::iter::once(second).chain(values) {
        all.push(b',');
        all.extend_from_slice(value.as_bytes());
    }
    HeaderValue::from_bytes(&all).ok()
}
