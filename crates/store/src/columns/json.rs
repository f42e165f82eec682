//! Attributes as JSON text, exactly: what is written here, [`super::parse`] reads back the same.
//!
//! Text, whole numbers, numbers with a fraction (always with a point or an exponent), yes and no, arrays and objects are
//! what they are in JSON. What JSON cannot say is an object with one key: `{"$bytes":"…base64…"}`, `{"$double":"NaN"}`;
//! and a map of one key that begins with `$` stands in `{"$map":…}`.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clew_model::{Attributes, MAX_DEPTH, SpanEvent, SpanLink, Value};

/// What stands for a value that is nested deeper than [`MAX_DEPTH`].
pub(crate) const TOO_DEEP: &str = "(nested too deep)";

/// Writes a text with its quotes.
pub(crate) fn text(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        // The pattern matches ASCII alone, so that the character is one byte.
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
    out.push('"');
}

/// Writes a whole number.
pub(crate) fn int(out: &mut String, number: i64) {
    let _ = write!(out, "{number}");
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

/// Begins a map whose keys are known to be these; whether it must be closed twice.
pub(crate) fn begin_map<'a>(out: &mut String, mut keys: impl Iterator<Item = &'a str>) -> bool {
    let first = keys.next();
    let escaped = first.is_some_and(|key| key.starts_with('$')) && keys.next().is_none();
    out.push_str(if escaped { "{\"$map\":{" } else { "{" });
    escaped
}

/// Ends what [`begin_map`] began.
pub(crate) fn end_map(out: &mut String, escaped: bool) {
    out.push_str(if escaped { "}}" } else { "}" });
}

/// Writes attributes as one object.
pub(crate) fn attributes(out: &mut String, attributes: &Attributes) {
    map(out, attributes, MAX_DEPTH);
}

fn map(out: &mut String, attributes: &Attributes, depth: usize) {
    let escaped = begin_map(out, attributes.iter().map(|(key, _)| key.as_str()));
    for (place, (key, inner)) in attributes.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        text(out, key);
        out.push(':');
        value(out, inner, depth);
    }
    end_map(out, escaped);
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
    let comma = if place > 0 { "," } else { "" };
    let _ = write!(out, "{comma}{{\"timeUnixNano\":{nanos},\"name\":");
    text(out, name);
    out.push_str(",\"attributes\":");
}

/// Writes links as a list.
pub(crate) fn links(out: &mut String, links: &[SpanLink]) {
    out.push('[');
    for (place, link) in links.iter().enumerate() {
        let comma = if place > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{{\"traceId\":\"{}\",\"spanId\":\"{}\",", link.trace_id, link.span_id);
        out.push_str("\"traceState\":");
        text(out, &link.trace_state);
        out.push_str(",\"attributes\":");
        attributes(out, &link.attributes);
        out.push('}');
    }
    out.push(']');
}
