//! The values that attributes hold, as OTLP defines them.

use compact_str::CompactString;

use crate::Attributes;

/// How deep a value may be nested; what lies deeper is replaced by a mark.
pub const MAX_DEPTH: usize = 32;

const TOO_DEEP: &str = "(nested too deep)";

/// One value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text.
    Str(CompactString),
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Double(f64),
    /// Bytes without meaning to clew.
    Bytes(Vec<u8>),
    /// Several values.
    Array(Vec<Value>),
    /// Named values.
    Map(Attributes),
}

impl Value {
    /// The text, if it is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The yes or no, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(yes) => Some(*yes),
            _ => None,
        }
    }

    /// The value with everything that lies deeper than [`MAX_DEPTH`] replaced by a mark.
    ///
    /// A decoder calls it on what a client sent, so that no later walk over the value can exhaust the stack.
    pub fn depth_limited(self) -> Self {
        self.limited(MAX_DEPTH)
    }

    fn limited(self, depth: usize) -> Self {
        let nested = matches!(self, Self::Array(_) | Self::Map(_));
        if nested && depth == 0 {
            return Self::Str(CompactString::const_new(TOO_DEEP));
        }
        match self {
            Self::Array(values) => Self::Array(values.into_iter().map(|value| value.limited(depth - 1)).collect()),
            Self::Map(map) => Self::Map(map.into_iter().map(|(key, value)| (key, value.limited(depth - 1))).collect()),
            plain => plain,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Str(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Str(text.into())
    }
}

impl From<CompactString> for Value {
    fn from(text: CompactString) -> Self {
        Self::Str(text)
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Double(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> Value {
        (0..depth).fold(Value::from("core"), |inner, _| Value::Array(vec![inner]))
    }

    fn depth(value: &Value) -> usize {
        match value {
            Value::Array(values) => 1 + values.iter().map(depth).max().unwrap_or(0),
            Value::Map(map) => 1 + map.iter().map(|(_, value)| depth(value)).max().unwrap_or(0),
            _ => 0,
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_replaced() {
        assert_eq!(nested(MAX_DEPTH).depth_limited(), nested(MAX_DEPTH));
        let cut = nested(MAX_DEPTH + 1).depth_limited();
        assert_eq!(depth(&cut), MAX_DEPTH);
        assert!(format!("{cut:?}").contains(TOO_DEEP));
    }

    #[test]
    fn maps_count_as_depth_too() {
        let map = |inner| Value::Map([(CompactString::from("k"), inner)].into_iter().collect());
        let deep = (0..100).fold(Value::from(1), |inner, _| map(inner));
        assert_eq!(depth(&deep.depth_limited()), MAX_DEPTH);
    }
}
