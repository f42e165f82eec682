//! The forms in which annotations hold a trace context.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use compact_str::CompactString;

use super::{Found, keys};
use crate::w3c::{self, HEADERS};
use crate::{SpanId, TraceContext, TraceId, TraceState};

/// Longer values hold no trace context: a `tracestate` and a `baggage` of the greatest length fit.
const MAX_VALUE: usize = 48 * 1024;

type Decoded = Result<TraceContext, &'static str>;

/// Decodes the value in the form that its key promises; a plain `traceparent` is read under any key.
pub(super) fn value<T: AsRef<str>>(key: &str, text: &str, get: impl Fn(&str) -> Option<T>) -> Decoded {
    if text.len() > MAX_VALUE {
        return Err("it is longer than 48 KiB");
    }
    let text = text.trim();
    if text.starts_with('{') {
        return header_map(text);
    }
    if let Ok(mut context) = TraceContext::parse_traceparent(text) {
        context.trace_state = companion_state(key, get);
        return Ok(context);
    }
    match key {
        keys::KEP_647 => binary(text),
        keys::TEKTON_PIPELINE_RUN | keys::TEKTON_TASK_RUN | keys::OPENTELEMETRY => {
            Err("expected a JSON map with a valid traceparent")
        }
        _ => Err("expected a valid traceparent"),
    }
}

/// The `tracestate` beside a key that ends in `/traceparent`.
fn companion_state<T: AsRef<str>>(key: &str, get: impl Fn(&str) -> Option<T>) -> TraceState {
    let Some(prefix) = key.strip_suffix("/traceparent") else {
        return TraceState::new();
    };
    let state = get(&format!("{prefix}/tracestate"));
    state.and_then(|text| text.as_ref().parse().ok()).unwrap_or_default()
}

/// OpenTelemetry's text map carrier as JSON: `{"traceparent":"…","tracestate":"…"}`.
fn header_map(text: &str) -> Decoded {
    let map: BTreeMap<Cow<'_, str>, Cow<'_, str>> =
        serde_json::from_str(text).map_err(|_| "expected a JSON map of texts")?;
    w3c::extract(&HEADERS, |name| map.get(name)).context.ok_or("its traceparent is missing or not valid")
}

/// The binary forms that have stood under `trace.kubernetes.io/context`, all in base64.
fn binary(text: &str) -> Decoded {
    let bytes = STANDARD
        .decode(text)
        .or_else(|_| STANDARD_NO_PAD.decode(text))
        .map_err(|_| "expected base64 or a valid traceparent")?;
    let context = match bytes.len() {
        25 => opentelemetry_struct(&bytes),
        29 => opencensus(&bytes),
        37.. => jaeger(&bytes),
        _ => None,
    };
    context.filter(TraceContext::is_valid).ok_or("its bytes are no span context")
}

/// OpenTelemetry Go's `SpanContext` struct of 2020: trace id, span id, flags.
fn opentelemetry_struct(bytes: &[u8]) -> Option<TraceContext> {
    context(bytes.get(..16)?, bytes.get(16..24)?, *bytes.get(24)?)
}

/// OpenCensus' binary propagation: version 0, then each field behind its number.
fn opencensus(bytes: &[u8]) -> Option<TraceContext> {
    let numbers = (bytes.first()?, bytes.get(1)?, bytes.get(18)?, bytes.get(27)?);
    if numbers != (&0, &0, &1, &2) {
        return None;
    }
    context(bytes.get(2..18)?, bytes.get(19..27)?, *bytes.get(28)?)
}

/// Jaeger's binary propagation: trace id, span id, parent id, flags, then baggage.
fn jaeger(bytes: &[u8]) -> Option<TraceContext> {
    context(bytes.get(..16)?, bytes.get(16..24)?, *bytes.get(32)?)
}

fn context(trace: &[u8], span: &[u8], flags: u8) -> Option<TraceContext> {
    let (trace_id, span_id) = (TraceId::from_slice(trace)?, SpanId::from_slice(span)?);
    Some(TraceContext::new(trace_id, span_id, flags & TraceContext::SAMPLED))
}

/// Operatortrace's former pair of annotations; it had no flags, and wrote only what it recorded.
pub(super) fn legacy_pair<T: AsRef<str>>(get: impl Fn(&str) -> Option<T>) -> Option<Found> {
    let trace_id = TraceId::parse_lenient(get(keys::OPERATORTRACE_TRACE_ID)?.as_ref()).ok()?;
    let span_id = SpanId::parse_lenient(get(keys::OPERATORTRACE_SPAN_ID)?.as_ref()).ok()?;
    let context = TraceContext::new(trace_id, span_id, TraceContext::SAMPLED);
    let key = CompactString::const_new(keys::OPERATORTRACE_TRACE_ID);
    context.is_valid().then_some(Found { context, key })
}
