//! Attributes as plain JSON.

use std::fmt;

use clew_model::{Attributes, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};
use smallvec::SmallVec;

/// Attributes as one object, in the order of their keys; of two with one key the first counts. They are written as they are:
/// a journey has thousands of spans, and a tree of each would be made to be thrown away.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain<'a>(pub(crate) &'a Attributes);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pairs: SmallVec<[_; 24]> = self.0.iter().collect();
        pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
        pairs.dedup_by(|(later, _), (first, _)| later == first);
        let mut map = serializer.serialize_map(Some(pairs.len()))?;
        for (name, value) in pairs {
            map.serialize_entry(name.as_str(), &PlainValue(value))?;
        }
        map.end()
    }
}

struct PlainValue<'a>(&'a Value);

impl Serialize for PlainValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Str(text) => serializer.serialize_str(text),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Int(number) => serializer.serialize_i64(*number),
            Value::Double(number) => serializer.serialize_f64(*number),
            Value::Bytes(bytes) => serializer.collect_str(&Hex(bytes)),
            Value::Array(values) => serializer.collect_seq(values.iter().map(PlainValue)),
            Value::Map(map) => Plain(map).serialize(serializer),
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
    fn keys_are_in_order_and_of_two_the_first_counts() {
        let mut inner = Attributes::new();
        inner.push("x", Value::Bytes(vec![0, 255]));
        let mut attributes = Attributes::new();
        attributes.push("b", 2);
        attributes.push("a", Value::Array(vec![Value::Bool(true), Value::Double(f64::NAN), Value::Str("\"".into())]));
        attributes.push("b", 3);
        attributes.push("c", Value::Map(inner));
        let text = serde_json::to_string(&Plain(&attributes)).expect("JSON");
        assert_eq!(text, r#"{"a":[true,null,"\""],"b":2,"c":{"x":"00ff"}}"#);
    }
}
