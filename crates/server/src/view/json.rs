//! Attributes as plain JSON.

use std::fmt;

use clew_model::{Attributes, Value};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::Result;
use serde_json::value::RawValue;

use crate::writer::Writer;

/// Attributes as one object, for what serde writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain<'a>(pub(crate) &'a Attributes);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut text = Writer::default();
        text.object(self.0).map_err(S::Error::custom)?;
        let text = String::from_utf8(text.into_bytes()).map_err(S::Error::custom)?;
        RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl Writer<'_> {
    /// Writes attributes as one object, in their order; of two with one key the first counts.
    pub(super) fn object(&mut self, attributes: &Attributes) -> Result<()> {
        self.put("{");
        let mut lengths = 0_u64;
        for (place, (key, value)) in attributes.iter().enumerate() {
            // Most keys differ in their length from all before, and are compared with none.
            let length = 1 << (key.len() % 64);
            if lengths & length != 0 && attributes.iter().take(place).any(|(earlier, _)| earlier == key) {
                continue;
            }
            lengths |= length;
            self.next();
            self.text(key)?;
            self.put(":");
            self.plain(value)?;
        }
        self.put("}");
        Ok(())
    }

    fn plain(&mut self, value: &Value) -> Result<()> {
        match value {
            Value::Str(text) => self.text(text),
            Value::Bool(flag) => self.value(flag),
            Value::Int(number) => self.value(number),
            Value::Double(number) => self.value(number),
            Value::Bytes(bytes) => self.text(&Hex(bytes).to_string()),
            Value::Array(values) => {
                self.put("[");
                for value in values {
                    self.next();
                    self.plain(value)?;
                }
                self.put("]");
                Ok(())
            }
            Value::Map(map) => self.object(map),
        }
    }
}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_their_order_and_of_two_the_first_counts() {
        let mut inner = Attributes::new();
        inner.push("x", Value::Bytes(vec![0, 255]));
        let mut attributes = Attributes::new();
        attributes.push("b", 2);
        attributes.push("a", Value::Array(vec![Value::Bool(true), Value::Double(f64::NAN), Value::Str("\"".into())]));
        attributes.push("b", 3);
        attributes.push("c", Value::Map(inner));
        let text = serde_json::to_string(&Plain(&attributes)).expect("JSON");
        assert_eq!(text, r#"{"b":2,"a":[true,null,"\""],"c":{"x":"00ff"}}"#);
    }
}
