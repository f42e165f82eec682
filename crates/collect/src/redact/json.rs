//! Looking into JSON text without losing where things stand, and editing it there.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The members of an object in their order, also those with the same name.
pub(super) struct Members<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Members<'a> {
    /// The members of the value; none if it is no object.
    pub(super) fn of(value: &'a RawValue) -> Result<Self, serde_json::Error> {
        if !is_object(value) {
            return Ok(Self(Vec::new()));
        }
        serde_json::from_str(value.get())
    }

    /// The value of the last member with this name, as Kubernetes reads duplicates.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// Whether a name is there twice.
    pub(super) fn have_duplicates(&self) -> bool {
        let mut names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_ref()).collect();
        names.sort_unstable();
        names.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The member's text, if it is a string.
    pub(super) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name).and_then(text)
    }
}

/// The text of a JSON string; none for anything else.
pub(super) fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Text<'_>>(value.get()).ok().map(|text| text.0)
}

/// Whether the value is an object.
pub(super) fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

/// The elements of a JSON array; none if it is no array.
pub(super) fn elements(value: &RawValue) -> Result<Vec<&RawValue>, serde_json::Error> {
    if !value.get().starts_with('[') {
        return Ok(Vec::new());
    }
    serde_json::from_str(value.get())
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(key), value)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
                    members.push((key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// Replacements of values inside one JSON text.
pub(super) struct Edits<'a> {
    text: &'a str,
    edits: Vec<(Range<usize>, String)>,
}

impl<'a> Edits<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, edits: Vec::new() }
    }

    /// Puts a JSON string in the place of a value that was borrowed from this text.
    pub(super) fn replace(&mut self, value: &'a RawValue, with: &str) {
        let start = value.get().as_ptr() as usize - self.text.as_ptr() as usize;
        // Hashes are plain ASCII: quotes are all that a JSON string needs.
        self.edits.push((start..start + value.get().len(), format!("\"{with}\"")));
    }

    /// The edited text.
    pub(super) fn finish(mut self) -> String {
        // The outer of two nested edits comes first and wins.
        self.edits.sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
        let mut edited = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, with) in self.edits {
            if range.start < at {
                continue;
            }
            edited.push_str(&self.text[at..range.start]);
            edited.push_str(&with);
            at = range.end;
        }
        edited.push_str(&self.text[at..]);
        edited
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_edited_value_changes() {
        let text = r#"{ "a":1.0 ,"b" : [ {"c":"x"} ],"a":2}"#;
        let raw: &RawValue = serde_json::from_str(text).expect("JSON");
        let members = Members::of(raw).expect("object");
        assert_eq!(members.get("a").map(RawValue::get), Some("2"), "the last wins");
        let mut edits = Edits::new(text);
        let inner = elements(members.get("b").expect("b")).expect("array")[0];
        edits.replace(inner, "inner");
        edits.replace(members.0[0].1, "first");
        assert_eq!(edits.finish(), r#"{ "a":"first" ,"b" : [ "inner" ],"a":2}"#);
    }

    #[test]
    fn the_outer_of_nested_edits_wins() {
        let text = r#"{"a":{"b":1}}"#;
        let raw: &RawValue = serde_json::from_str(text).expect("JSON");
        let outer = Members::of(raw).expect("object").0[0].1;
        let inner = Members::of(outer).expect("object").0[0].1;
        let mut edits = Edits::new(text);
        edits.replace(inner, "inner");
        edits.replace(outer, "outer");
        assert_eq!(edits.finish(), r#"{"a":"outer"}"#);
    }
}
