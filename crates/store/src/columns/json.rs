//! Attributes as JSON text, exactly: what is written here, [`super::parse`] reads back the same.
//!
//! Text, whole numbers, numbers with a fraction (always with a point or an exponent), yes and no, arrays and objects are
//! what they are in JSON. What JSON cannot say is an object with one key: `{"$bytes":"…base64…"}`, `{"$double":"NaN"}`;
//! so a key of an attribute that begins with `$` gets one more.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clew_model::json::{is_plain, is_special};
use clew_model::{Attributes, MAX_DEPTH, SpanEvent, SpanId, SpanLink, TraceId, Value};

/// What stands for a value that is nested deeper than [`MAX_DEPTH`].
pub(crate) const TOO_DEEP: &str = "(nested too deep)";

/// Writes a text with its quotes.
pub(crate) fn text(out: &mut String, text: &str) {
    out.push('"');
    escape(out, text);
    out.push('"');
}

/// Writes the key of the attribute at this place of an object, up to its value.
pub(crate) fn key(out: &mut String, place: usize, key: &str) {
    out.push_str(if place > 0 { ",\"" } else { "\"" });
    if key.starts_with('$') {
        out.push('$');
    }
    escape(out, key);
    out.push_str("\":");
}

fn escape(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push_str(text);
        return;
    }
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        match special.as_bytes()[0] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
        rest = &special[1..];
    }
    out.push_str(rest);
}

/// Writes a whole number, without the detour over a formatter: every event has one.
pub(crate) fn int(out: &mut String, number: i64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push('-');
    }
    out.push_str(std::str::from_utf8(&digits[at..]).unwrap_or_default());
}

/// Writes a number with a fraction, so that it is not taken for a whole one.
pub(crate) fn double(out: &mut String, number: f64) {
    let special = match number {
        number if number.is_finite() => {
            let _ = write!(out, "{number:?}");
            return;
        }
        number if number.is_nan() => "NaN",
        number if number > 0.0 => "Infinity",
        _ => "-Infinity",
    };
    let _ = write!(out, "{{\"$double\":\"{special}\"}}");
}

/// Writes yes or no.
pub(crate) fn bool(out: &mut String, yes: bool) {
    out.push_str(if yes { "true" } else { "false" });
}

/// Writes bytes.
pub(crate) fn bytes(out: &mut String, bytes: &[u8]) {
    out.push_str("{\"$bytes\":\"");
    BASE64_STANDARD.encode_string(bytes, out);
    out.push_str("\"}");
}

/// Writes attributes as one object.
pub(crate) fn attributes(out: &mut String, attributes: &Attributes) {
    map(out, attributes, MAX_DEPTH);
}

fn map(out: &mut String, attributes: &Attributes, depth: usize) {
    out.push('{');
    for (place, (name, inner)) in attributes.iter().enumerate() {
        key(out, place, name);
        value(out, inner, depth);
    }
    out.push('}');
}

/// Writes one value, down to so many levels of nesting.
pub(crate) fn value(out: &mut String, any: &Value, depth: usize) {
    match any {
        Value::Str(plain) => text(out, plain),
        Value::Bool(yes) => bool(out, *yes),
        Value::Int(number) => int(out, *number),
        Value::Double(number) => double(out, *number),
        Value::Bytes(plain) => bytes(out, plain),
        Value::Array(_) | Value::Map(_) if depth == 0 => text(out, TOO_DEEP),
        Value::Map(inner) => map(out, inner, depth - 1),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                value(out, item, depth - 1);
            }
            out.push(']');
        }
    }
}

/// Writes events as a list.
pub(crate) fn events(out: &mut String, events: &[SpanEvent]) {
    out.push('[');
    for (place, event) in events.iter().enumerate() {
        begin_event(out, place, event.time.as_nanos(), &event.name);
        attributes(out, &event.attributes);
        out.push('}');
    }
    out.push(']');
}

/// Begins an event, up to its attributes.
pub(crate) fn begin_event(out: &mut String, place: usize, nanos: i64, name: &str) {
    out.push_str(if place > 0 { ",{\"timeUnixNano\":" } else { "{\"timeUnixNano\":" });
    int(out, nanos);
    out.push_str(",\"name\":");
    text(out, name);
    out.push_str(",\"attributes\":");
}

/// Writes links as a list.
pub(crate) fn links(out: &mut String, links: &[SpanLink]) {
    out.push('[');
    for (place, link) in links.iter().enumerate() {
        begin_link(out, place, (link.trace_id, link.span_id), &link.trace_state);
        attributes(out, &link.attributes);
        out.push('}');
    }
    out.push(']');
}

/// Begins a link, up to its attributes.
pub(crate) fn begin_link(out: &mut String, place: usize, ids: (TraceId, SpanId), trace_state: &str) {
    let comma = if place > 0 { "," } else { "" };
    let _ = write!(out, "{comma}{{\"traceId\":\"{}\",\"spanId\":\"{}\",\"traceState\":", ids.0, ids.1);
    text(out, trace_state);
    out.push_str(",\"attributes\":");
}
