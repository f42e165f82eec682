//! Jaeger's `uber-trace-id`.

use super::b3::{span_id, trace_id};
use crate::settings::percent_decode;
use crate::trace::{Context, SpanContext};
use http::{HeaderMap, HeaderValue};

const NAME: &str = "uber-trace-id";

pub(super) fn extract(headers: &HeaderMap, context: &mut Context) {
    let Some(text) = headers.get(NAME).and_then(|value| value.to_str().ok()) else { return };
    if let Some(span) = parse(&percent_decode(text)) {
        context.span = span;
    }
}

/// `{trace}:{span}:{parent}:{flags}`; some clients percent-encode the colons.
fn parse(text: &str) -> Option<SpanContext> {
    let mut parts = text.split(':');
    let (trace, span, _parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let flags = u8::from_str_radix(flags, 16).ok()?;
    let span = SpanContext::remote(trace_id(trace)?, span_id(span)?, flags & 1 != 0);
    span.is_valid().then_some(span)
}

pub(super) fn inject(span: &SpanContext, headers: &mut HeaderMap) {
    let sampled = u8::from(span.is_sampled());
    if let Ok(value) = HeaderValue::from_str(&format!("{}:{}:0:{sampled}", span.trace_id, span.span_id)) {
        headers.insert(NAME, value);
    }
}
