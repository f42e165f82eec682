//! JSON text of [`super::json`] back into attributes, events and links.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clew_model::{Attributes, MAX_DEPTH, SpanEvent, SpanId, SpanLink, Time, TraceId, Value};
use compact_str::CompactString;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::json::is_special;

type Result<T> = std::result::Result<T, serde_json::Error>;

/// An object with its keys in order, doubles included; values are read later, since numbers must stay exact.
struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of attributes")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Object<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    entries.push((key, value));
                }
                Ok(Object(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// A key without an allocation, unless it was escaped.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event<'a> {
    time_unix_nano: i64,
    name: CompactString,
    #[serde(borrow)]
    attributes: Object<'a>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Link<'a> {
    trace_id: TraceId,
    span_id: SpanId,
    trace_state: CompactString,
    #[serde(borrow)]
    attributes: Object<'a>,
}

/// A text that nests deeper was not written by us.
const DEEPEST: usize = 2 * MAX_DEPTH;

/// Reads an object of attributes.
pub(super) fn attributes(text: &str) -> Result<Attributes> {
    serde_json::from_str(text).and_then(inner)
}

/// Reads one value that nests.
pub(crate) fn value(text: &str) -> Result<Value> {
    value_in(text, DEEPEST)
}

fn value_in(text: &str, depth: usize) -> Result<Value> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Error::custom("nested too deep"));
    };
    match text.as_bytes().first() {
        Some(b'"') => match unescaped(text) {
            Some(plain) => Ok(Value::Str(plain.into())),
            None => serde_json::from_str::<CompactString>(text).map(Value::Str),
        },
        Some(b't' | b'f') => serde_json::from_str(text).map(Value::Bool),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            items.into_iter().map(|item| value_in(item.get(), depth)).collect::<Result<_>>().map(Value::Array)
        }
        Some(b'{') => match unwrapped(serde_json::from_str(text)?)? {
            Either::Plain(object) => entries(object, depth).map(Value::Map),
            Either::Special(value) => Ok(value),
        },
        _ => number(text),
    }
}

/// What is between the quotes, if nothing there is escaped.
fn unescaped(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    // Looked at as a whole, which the compiler does many bytes at a time.
    let is_plain = !inner.bytes().fold(false, |found, byte| found | is_special(byte));
    is_plain.then_some(inner)
}

/// Reads a list of events.
pub(super) fn events(text: &str) -> Result<Vec<SpanEvent>> {
    let events: Vec<Event<'_>> = serde_json::from_str(text)?;
    let events = events.into_iter().map(|event| {
        let time = Time::from_nanos(event.time_unix_nano);
        Ok(SpanEvent { time, name: event.name, attributes: inner(event.attributes)? })
    });
    events.collect()
}

/// Reads a list of links.
pub(super) fn links(text: &str) -> Result<Vec<SpanLink>> {
    let links: Vec<Link<'_>> = serde_json::from_str(text)?;
    let links = links.into_iter().map(|link| {
        Ok(SpanLink {
            trace_id: link.trace_id,
            span_id: link.span_id,
            trace_state: link.trace_state,
            attributes: inner(link.attributes)?,
        })
    });
    links.collect()
}

enum Either<'a> {
    Plain(Object<'a>),
    Special(Value),
}

fn inner(object: Object<'_>) -> Result<Attributes> {
    entries(object, DEEPEST)
}

/// What a mark stands for; any other object as it is.
fn unwrapped(object: Object<'_>) -> Result<Either<'_>> {
    let [(key, raw)] = object.0.as_slice() else {
        return Ok(Either::Plain(object));
    };
    let text = || serde_json::from_str::<Cow<'_, str>>(raw.get());
    Ok(Either::Special(match key.as_ref() {
        "$bytes" => Value::Bytes(BASE64_STANDARD.decode(text()?.as_bytes()).map_err(Error::custom)?),
        "$double" => match text()?.as_ref() {
            "NaN" => Value::Double(f64::NAN),
            "Infinity" => Value::Double(f64::INFINITY),
            _ => Value::Double(f64::NEG_INFINITY),
        },
        _ => return Ok(Either::Plain(object)),
    }))
}

fn entries(object: Object<'_>, depth: usize) -> Result<Attributes> {
    let entries = object.0.into_iter().map(|(key, raw)| {
        let key = key.strip_prefix("$").unwrap_or(&key);
        Ok((CompactString::from(key), value_in(raw.get(), depth)?))
    });
    entries.collect()
}

/// `serde_json` may round a fraction by one bit; the standard library does not.
fn number(text: &str) -> Result<Value> {
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(Value::Int(whole));
    }
    text.parse::<f64>().map(Value::Double).map_err(|_| Error::custom(format_args!("{text:?} is no value")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_the_same_with_and_without_escapes() {
        for plain in ["", "a", "é \u{1f980}", "a\"b", "\\", "\n\u{1}"] {
            let written = serde_json::to_string(plain).unwrap();
            assert_eq!(value(&written).unwrap(), Value::Str(plain.into()), "{written}");
        }
        for wrong in ["\"", "\"a", "\"a\"b\"", "\"a\\\"", "\"a\nb\"", "\"a\" "] {
            assert_eq!(value(wrong).is_ok(), serde_json::from_str::<String>(wrong).is_ok(), "{wrong}");
        }
    }
}
