//! What a field of a journey or span holds.

use std::borrow::Cow;

use clew_model::Value;

/// A value that was found in a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found<'a> {
    Text(Cow<'a, str>),
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl<'a> Found<'a> {
    /// Text that is there; empty text counts as missing.
    pub(super) fn some(text: impl Into<Cow<'a, str>>) -> Option<Self> {
        let text = text.into();
        (!text.is_empty()).then_some(Self::Text(text))
    }

    /// The plain values of an attribute; a list is each of its parts.
    pub(super) fn each(value: &'a Value, take: &mut dyn FnMut(Self)) {
        match value {
            Value::Str(text) => take(Self::Text(Cow::Borrowed(text))),
            Value::Bool(flag) => take(Self::Bool(*flag)),
            Value::Int(number) => take(Self::Int(*number)),
            Value::Double(number) => take(Self::Float(*number)),
            Value::Array(values) => values.iter().for_each(|value| Self::each(value, take)),
            Value::Bytes(_) | Value::Map(_) => {}
        }
    }

    /// The value as a regular expression sees it.
    pub(super) fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(text) => Some(Cow::Borrowed(text)),
            Self::Int(number) => Some(Cow::Owned(number.to_string())),
            Self::Float(_) | Self::Bool(_) => None,
        }
    }
}
