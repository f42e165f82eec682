//! Attributes on the wire.

use std::ops::Range;

use super::limits::{Limits, Reason};
use super::wire::{Fields, short_pair, short_text};
use super::{Fault, Malformed};
use crate::columns::json;

/// One attribute's value: borrowed from the request, or JSON text in the scratch.
#[derive(Debug, Clone)]
pub(super) enum Any<'a> {
    Str(&'a str),
    Bool(bool),
    Int(i64),
    Double(f64),
    Json(Range<usize>),
}

/// What of the attributes was left out or cut.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Loss {
    pub(super) attributes: u64,
    pub(super) cut: u64,
}

/// A value as it lies.
#[derive(Clone, Copy)]
enum Raw<'a> {
    None,
    Str(&'a [u8]),
    Bool(bool),
    Int(i64),
    Double(f64),
    Array(&'a [u8]),
    Map(&'a [u8]),
    Bytes(&'a [u8]),
}

/// A text, if it is one.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|_| Fault::Refused(Reason::Utf8))
}

/// A text that is not longer than allowed, and whether it was cut.
pub(super) fn short<'a>(bytes: &'a [u8], limits: &Limits, loss: &mut Loss) -> Result<&'a str, Fault> {
    let text = text(bytes)?;
    if text.len() <= limits.value_bytes {
        return Ok(text);
    }
    loss.cut += 1;
    Ok(&text[..text.floor_char_boundary(limits.value_bytes)])
}

/// The key and the value of an attribute; none if it breaks a limit and is left out.
pub(super) fn attribute<'a>(
    pair: &'a [u8],
    limits: &Limits,
    scratch: &mut String,
    loss: &mut Loss,
) -> Result<Option<(&'a str, Any<'a>)>, Fault> {
    if let Some((key, text)) = short_texts(pair)
        && key.len() <= limits.key_bytes
        && text.len() <= limits.value_bytes
    {
        return Ok(Some((key, Any::Str(text))));
    }
    let (key, value) = key_value(pair)?;
    let key = text(key)?;
    let any = match raw(value)? {
        Raw::None => Any::Str(""),
        Raw::Str(bytes) => Any::Str(short(bytes, limits, loss)?),
        Raw::Bool(yes) => Any::Bool(yes),
        Raw::Int(number) => Any::Int(number),
        Raw::Double(number) => Any::Double(number),
        Raw::Array(bytes) | Raw::Map(bytes) | Raw::Bytes(bytes) if bytes.len() > limits.value_bytes => {
            loss.attributes += 1;
            return Ok(None);
        }
        nested => {
            let from = scratch.len();
            write(scratch, nested, limits.depth)?;
            Any::Json(from..scratch.len())
        }
    };
    if key.len() > limits.key_bytes {
        loss.attributes += 1;
        return Ok(None);
    }
    Ok(Some((key, any)))
}

/// The key and the value of an attribute that is a short text, as nearly every one is. What lies around them is ASCII, so
/// that both are checked at once.
#[inline]
fn short_texts(pair: &[u8]) -> Option<(&str, &str)> {
    let (key, value) = short_pair(pair)?;
    let text = short_text(value)?;
    let all = std::str::from_utf8(pair).ok()?;
    Some((all.get(2..2 + key.len())?, all.get(all.len() - text.len()..)?))
}

/// Writes the attributes of an event or a link as one JSON object.
pub(super) fn write_attributes(
    out: &mut String,
    pairs: &[&[u8]],
    limits: &Limits,
    loss: &mut Loss,
) -> Result<(), Fault> {
    out.push('{');
    each_attribute(pairs, limits, loss, |place, key, any, nested| {
        json::key(out, place, key);
        match any {
            Any::Str(text) => json::text(out, text),
            Any::Bool(yes) => json::bool(out, yes),
            Any::Int(number) => json::int(out, number),
            Any::Double(number) => json::double(out, number),
            Any::Json(range) => out.push_str(&nested[range]),
        }
    })?;
    out.push('}');
    Ok(())
}

/// Gives each of these attributes that is kept: its place among them, key and value, and the text that the value may be in.
pub(super) fn each_attribute(
    pairs: &[&[u8]],
    limits: &Limits,
    loss: &mut Loss,
    mut each: impl FnMut(usize, &str, Any<'_>, &str),
) -> Result<(), Fault> {
    let mut kept = 0;
    let mut nested = String::new();
    for pair in pairs {
        if kept == limits.attributes {
            loss.attributes += 1;
            continue;
        }
        nested.clear();
        let Some((key, any)) = attribute(pair, limits, &mut nested, loss)? else {
            continue;
        };
        each(kept, key, any, &nested);
        kept += 1;
    }
    Ok(())
}

/// The key and the value of an attribute, as they lie.
#[inline]
pub(super) fn key_value(pair: &[u8]) -> Result<(&[u8], &[u8]), Malformed> {
    if let Some(short) = short_pair(pair) {
        return Ok(short);
    }
    let (mut key, mut value): (&[u8], &[u8]) = (&[], &[]);
    for field in Fields::new(pair) {
        let field = field?;
        match field.number {
            1 => key = field.bytes()?,
            2 => value = field.bytes()?,
            _ => {}
        }
    }
    Ok((key, value))
}

/// The value that was set last, as protobuf has it.
#[inline]
fn raw(value: &[u8]) -> Result<Raw<'_>, Malformed> {
    if let Some(text) = short_text(value) {
        return Ok(Raw::Str(text));
    }
    let mut last = Raw::None;
    for field in Fields::new(value) {
        let field = field?;
        last = match field.number {
            1 => Raw::Str(field.bytes()?),
            2 => Raw::Bool(field.varint()? != 0),
            3 => Raw::Int(field.varint()?.cast_signed()),
            4 => Raw::Double(f64::from_bits(field.fixed64()?)),
            5 => Raw::Array(field.bytes()?),
            6 => Raw::Map(field.bytes()?),
            7 => Raw::Bytes(field.bytes()?),
            // An index into the tables of a profile: there are none in a trace.
            8 => Raw::None,
            _ => last,
        };
    }
    Ok(last)
}

/// Writes a value as JSON, down to so many levels.
fn write(out: &mut String, value: Raw<'_>, depth: usize) -> Result<(), Fault> {
    match value {
        Raw::None => json::text(out, ""),
        Raw::Str(bytes) => json::text(out, text(bytes)?),
        Raw::Bool(yes) => json::bool(out, yes),
        Raw::Int(number) => json::int(out, number),
        Raw::Double(number) => json::double(out, number),
        Raw::Bytes(bytes) => json::bytes(out, bytes),
        Raw::Array(message) => {
            let depth = depth.checked_sub(1).ok_or(Fault::Refused(Reason::Depth))?;
            out.push('[');
            for (place, item) in members(message).enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write(out, raw(item?)?, depth)?;
            }
            out.push(']');
        }
        Raw::Map(message) => {
            let depth = depth.checked_sub(1).ok_or(Fault::Refused(Reason::Depth))?;
            out.push('{');
            for (place, pair) in members(message).enumerate() {
                let (key, value) = key_value(pair?)?;
                json::key(out, place, text(key)?);
                write(out, raw(value)?, depth)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

/// The values of an array or a map: its fields of number 1.
fn members(message: &[u8]) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    Fields::new(message).filter_map(|field| match field {
        Ok(field) => (field.number == 1).then(|| field.bytes()),
        Err(error) => Some(Err(error)),
    })
}
