//! Named values, in the order in which they came.

use compact_str::CompactString;

use crate::Value;

/// The attributes of a span, an event, a link or a resource.
///
/// A list rather than a map: spans have a handful of attributes, their order is the client's, and a look-up
/// walks less memory than a hash would touch.
///
/// ```
/// use clew_model::{Attributes, Value};
///
/// let mut attributes = Attributes::new();
/// attributes.insert("k8s.pod.name", "web-1");
/// attributes.insert("k8s.pod.name", "web-2");
/// assert_eq!(attributes.get("k8s.pod.name").and_then(Value::as_str), Some("web-2"));
/// assert_eq!(attributes.len(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attributes(Vec<(CompactString, Value)>);

impl Attributes {
    /// No attributes.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// No attributes yet, with room for so many.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// The value of the first attribute with this key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The text of the first attribute with this key, if it is text.
    pub fn get_str(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::as_str)
    }

    /// Sets the attribute, in its old place if it is there already.
    pub fn insert(&mut self, key: impl Into<CompactString>, value: impl Into<Value>) {
        let (key, value) = (key.into(), value.into());
        match self.0.iter_mut().find(|(name, _)| *name == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key, value)),
        }
    }

    /// Adds an attribute without looking whether it is there already, as a decoder does.
    pub fn push(&mut self, key: impl Into<CompactString>, value: impl Into<Value>) {
        self.0.push((key.into(), value.into()));
    }

    /// Takes the first attribute with this key out.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let place = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(place).1)
    }

    /// All attributes in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (CompactString, Value)> {
        self.0.iter()
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(CompactString, Value)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (CompactString, Value)>>(attributes: I) -> Self {
        Self(attributes.into_iter().collect())
    }
}

impl IntoIterator for Attributes {
    type Item = (CompactString, Value);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = &'a (CompactString, Value);
    type IntoIter = std::slice::Iter<'a, (CompactString, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_keys_are_replaced_in_place() {
        let mut attributes = Attributes::with_capacity(3);
        attributes.insert("b", 1);
        attributes.insert("a", true);
        attributes.insert("b", 2);
        let keys: Vec<_> = attributes.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["b", "a"]);
        assert_eq!(attributes.get("b"), Some(&Value::Int(2)));
        assert_eq!(attributes.remove("b"), Some(Value::Int(2)));
        assert_eq!(attributes.remove("b"), None);
    }

    #[test]
    fn only_text_is_given_as_text() {
        let mut attributes = Attributes::new();
        attributes.push("n", 1);
        attributes.push("s", "x");
        assert_eq!(attributes.get_str("n"), None);
        assert_eq!(attributes.get_str("s"), Some("x"));
        assert!(!attributes.is_empty());
    }
}
