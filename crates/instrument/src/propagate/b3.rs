//! Zipkin's B3, in one header or in several.

use crate::ids::{SpanId, TraceId};
use crate::trace::{Context, SpanContext};
use http::{HeaderMap, HeaderValue};

pub(super) fn extract(headers: &HeaderMap, context: &mut Context) {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(span) = text("b3").and_then(single) {
        context.span = span;
        return;
    }
    let (Some(trace), Some(span)) = (text("x-b3-traceid"), text("x-b3-spanid")) else { return };
    let sampled = text("x-b3-flags") == Some("1") || matches!(text("x-b3-sampled"), Some("1" | "true"));
    if let Some(span) = remote(trace, span, sampled) {
        context.span = span;
    }
}

/// `{trace}-{span}[-{sampled}[-{parent}]]`.
fn single(text: &str) -> Option<SpanContext> {
    let mut parts = text.split('-');
    let (trace, span) = (parts.next()?, parts.next()?);
    let sampled = matches!(parts.next(), Some("1" | "d"));
    remote(trace, span, sampled)
}

fn remote(trace: &str, span: &str, sampled: bool) -> Option<SpanContext> {
    let span = SpanContext::remote(trace_id(trace)?, span_id(span)?, sampled);
    span.is_valid().then_some(span)
}

/// A trace id of 16 or 32 digits; the short form is the lower half.
pub(super) fn trace_id(text: &str) -> Option<TraceId> {
    if text.is_empty() || text.len() > 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u128::from_str_radix(text, 16).ok().map(|number| TraceId::from_bytes(number.to_be_bytes()))
}

/// A span id of at most 16 digits.
pub(super) fn span_id(text: &str) -> Option<SpanId> {
    if text.is_empty() || text.len() > 16 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(text, 16).ok().map(|number| SpanId::from_bytes(number.to_be_bytes()))
}

pub(super) fn inject_single(span: &SpanContext, headers: &mut HeaderMap) {
    let sampled = u8::from(span.is_sampled());
    if let Ok(value) = HeaderValue::from_str(&format!("{}-{}-{sampled}", span.trace_id, span.span_id)) {
        headers.insert("b3", value);
    }
}

pub(super) fn inject_multi(span: &SpanContext, headers: &mut HeaderMap) {
    let pairs = [
        ("x-b3-traceid", span.trace_id.to_string()),
        ("x-b3-spanid", span.span_id.to_string()),
        ("x-b3-sampled", u8::from(span.is_sampled()).to_string()),
    ];
    for (name, value) in pairs {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
}
