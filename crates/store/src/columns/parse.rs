//! JSON text of [`super::json`] back into attributes, events and links.
//!
//! It is read as it is written there, without spaces and with the fields in their order: nobody else writes it, and a
//! trace of thousands of spans has tens of thousands of events.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clew_model::{Attributes, MAX_DEPTH, SpanEvent, SpanLink, Time, Value, json};

use super::read::damaged;
use crate::{Result, StoreError};

/// A text that nests deeper was not written by us.
const DEEPEST: usize = 2 * MAX_DEPTH;

/// Reads an object of attributes.
pub(super) fn attributes(text: &str) -> Result<Attributes> {
    Reader(text).whole(|reader| reader.attributes(DEEPEST))
}

/// Reads one value that nests.
pub(crate) fn value(text: &str) -> Result<Value> {
    Reader(text).whole(|reader| reader.value(DEEPEST))
}

/// Reads a list of events.
pub(super) fn events(text: &str) -> Result<Vec<SpanEvent>> {
    Reader(text).whole(|reader| reader.list(Reader::event))
}

/// Reads a list of links.
pub(super) fn links(text: &str) -> Result<Vec<SpanLink>> {
    Reader(text).whole(|reader| reader.list(Reader::link))
}

/// What is still to be read.
struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    /// Reads something after which nothing comes.
    fn whole<T>(mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let read = read(&mut self)?;
        if self.0.is_empty() { Ok(read) } else { Err(self.wrong("the end")) }
    }

    fn event(&mut self) -> Result<SpanEvent> {
        self.expect("{\"timeUnixNano\":")?;
        let time = Time::from_nanos(self.number().parse().map_err(|_| self.wrong("a time before this"))?);
        self.expect(",\"name\":")?;
        let name = self.text()?.into();
        self.expect(",\"attributes\":")?;
        let attributes = self.attributes(DEEPEST)?;
        self.expect("}")?;
        Ok(SpanEvent { time, name, attributes })
    }

    fn link(&mut self) -> Result<SpanLink> {
        self.expect("{\"traceId\":")?;
        let trace_id = self.text()?.parse().map_err(|_| self.wrong("the id of a trace before this"))?;
        self.expect(",\"spanId\":")?;
        let span_id = self.text()?.parse().map_err(|_| self.wrong("the id of a span before this"))?;
        self.expect(",\"traceState\":")?;
        let trace_state = self.text()?.into();
        self.expect(",\"attributes\":")?;
        let attributes = self.attributes(DEEPEST)?;
        self.expect("}")?;
        Ok(SpanLink { trace_id, span_id, trace_state, attributes })
    }

    /// Attributes in their order; a key may come twice.
    fn attributes(&mut self, depth: usize) -> Result<Attributes> {
        let mut attributes = Attributes::new();
        self.expect("{")?;
        if self.skip("}") {
            return Ok(attributes);
        }
        loop {
            let key = self.text()?;
            self.expect(":")?;
            // Without what tells it from a mark.
            attributes.push(key.strip_prefix('$').unwrap_or(&key), self.value(depth)?);
            if !self.skip(",") {
                self.expect("}")?;
                return Ok(attributes);
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        let Some(deeper) = depth.checked_sub(1) else { return Err(damaged("a value is nested too deep".into())) };
        match self.0.as_bytes().first() {
            Some(b'"') => Ok(Value::Str(self.text()?.into())),
            Some(b't') => self.expect("true").map(|()| Value::Bool(true)),
            Some(b'f') => self.expect("false").map(|()| Value::Bool(false)),
            Some(b'[') => self.list(|reader| reader.value(deeper)).map(Value::Array),
            Some(b'{') => match self.marked()? {
                Some(value) => Ok(value),
                None => self.attributes(deeper).map(Value::Map),
            },
            _ => {
                let number = self.number();
                let fraction = || number.parse().map(Value::Double).map_err(|_| self.wrong("a value"));
                // The standard library's way does not round a fraction by one bit.
                number.parse().map(Value::Int).or_else(|_| fraction())
            }
        }
    }

    /// What JSON cannot say, if this is such an object.
    fn marked(&mut self) -> Result<Option<Value>> {
        let value = if self.skip("{\"$bytes\":") {
            let bytes = BASE64_STANDARD.decode(self.text()?.as_bytes());
            Value::Bytes(bytes.map_err(|error| damaged(error.to_string()))?)
        } else if self.skip("{\"$double\":") {
            Value::Double(match self.text()?.as_ref() {
                "NaN" => f64::NAN,
                "Infinity" => f64::INFINITY,
                _ => f64::NEG_INFINITY,
            })
        } else {
            return Ok(None);
        };
        self.expect("}")?;
        Ok(Some(value))
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        self.expect("[")?;
        if self.skip("]") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.skip(",") {
                self.expect("]")?;
                return Ok(items);
            }
        }
    }

    /// A text between quotes.
    fn text(&mut self) -> Result<Cow<'a, str>> {
        let all = self.0;
        self.expect("\"")?;
        let plain = json::plain_bytes(self.0.as_bytes());
        if self.0.as_bytes().get(plain) == Some(&b'"') {
            let (text, rest) = self.0.split_at(plain);
            self.0 = &rest[1..];
            return Ok(Cow::Borrowed(text));
        }
        // Something is escaped.
        let mut texts = serde_json::Deserializer::from_str(all).into_iter::<String>();
        let text = texts.next().and_then(std::result::Result::ok);
        let text = text.ok_or_else(|| self.wrong("the rest of a text"))?;
        self.0 = &all[texts.byte_offset()..];
        Ok(Cow::Owned(text))
    }

    /// What may be a number.
    fn number(&mut self) -> &'a str {
        let is_part = |byte: u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let end = self.0.bytes().position(|byte| !is_part(byte)).unwrap_or(self.0.len());
        let (number, rest) = self.0.split_at(end);
        self.0 = rest;
        number
    }

    fn skip(&mut self, what: &str) -> bool {
        let rest = self.0.strip_prefix(what);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, what: &'static str) -> Result<()> {
        if self.skip(what) { Ok(()) } else { Err(self.wrong(what)) }
    }

    fn wrong(&self, expected: &str) -> StoreError {
        let rest: String = self.0.chars().take(40).collect();
        damaged(format!("expected {expected} where {rest:?} is"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::columns::json as write;

    fn event(name: &str, key: &str, value: Value) -> SpanEvent {
        let attributes = [(key.into(), value)].into_iter().collect();
        SpanEvent { time: Time::from_nanos(-7), name: name.into(), attributes }
    }

    proptest! {
        /// A text that was cut, or in which something else was put, is told or read; it does not bring anything down.
        #[test]
        fn what_is_damaged_is_told(at: prop::sample::Index, other in ".{0,2}") {
            let nested = Value::Map([("$double".into(), Value::Array(vec![Value::Int(1), Value::Bytes(vec![2])]))].into_iter().collect());
            let happened = [event("é", "a \"key\"", Value::Double(f64::INFINITY)), event("\n", "$", nested)];
            let mut text = String::new();
            write::events(&mut text, &happened);
            prop_assert_eq!(events(&text).unwrap(), happened);
            let place = text.floor_char_boundary(at.index(text.len()));
            prop_assert!(events(&text[..place]).is_err(), "{}", &text[..place]);
            let _ = events(&format!("{}{other}{}", &text[..place], &text[place..]));
        }
    }

    #[test]
    fn a_text_is_read_the_same_with_and_without_escapes() {
        for plain in ["", "a", "é \u{1f980}", "a\"b", "\\", "\n\u{1}"] {
            let written = serde_json::to_string(plain).unwrap();
            assert_eq!(value(&written).unwrap(), Value::Str(plain.into()), "{written}");
        }
        for wrong in ["\"", "\"a", "\"a\"b\"", "\"a\\\"", "\"a\nb\"", "\"a\" "] {
            assert!(value(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_nests_too_deep_or_is_no_value_is_told() {
        assert!(value(&format!("{}{}", "[".repeat(60), "]".repeat(60))).is_ok());
        for wrong in ["[".repeat(100_000), String::new(), "nul".into(), "-".into(), "{\"a\"}".into(), "[1,]".into()] {
            let told = value(&wrong).expect_err("no value").to_string();
            assert!(told.len() < 200, "{told}");
        }
    }
}
