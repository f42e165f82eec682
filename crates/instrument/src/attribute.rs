//! Attributes: what a span, an event or a link says about itself.

use std::borrow::Cow;
use std::fmt;

/// A text that costs nothing when it is known at compile time.
pub type Text = Cow<'static, str>;

/// One fact about a span.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// What the fact is about, by OpenTelemetry's semantic conventions where they have a name.
    pub key: Text,
    /// The fact.
    pub value: Value,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text.
    Text(Text),
    /// Several texts.
    Texts(Vec<Text>),
}

/// Makes an attribute: `attr("k8s.pod.uid", uid)`.
pub fn attr(key: impl Into<Text>, value: impl Into<Value>) -> Attribute {
    Attribute { key: key.into(), value: value.into() }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
            // Go prints a list of texts as [a b].
            Self::Texts(values) => write!(f, "[{}]", values.join(" ")),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<u16> for Value {
    fn from(value: u16) -> Self {
        Self::Int(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&'static str> for Value {
    fn from(value: &'static str) -> Self {
        Self::Text(Cow::Borrowed(value))
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(Cow::Owned(value))
    }
}

impl From<Text> for Value {
    fn from(value: Text) -> Self {
        Self::Text(value)
    }
}

impl From<Vec<Text>> for Value {
    fn from(value: Vec<Text>) -> Self {
        Self::Texts(value)
    }
}
