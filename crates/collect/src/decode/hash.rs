//! A hash of JSON by its meaning: white space, the spelling of strings and the order of keys do not matter.
//!
//! The API server, a proxy and a recorder write the same object differently, and their versions must be compared.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hasher;

use rustc_hash::FxHasher;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Told of every string value, with the key that it stands under.
pub(super) type OnString<'a> = dyn FnMut(&str, &str) + 'a;

/// The hash of well-formed JSON, without the members whose name ends so.
pub(super) fn of_json(json: &str, without: &str, on_string: &mut OnString<'_>) -> u64 {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    Meaning { key: "", without, timeless: false, on_string }.deserialize(&mut deserializer).unwrap_or_default()
}

/// The hash of a pod template, without the label that a controller adds to tell its generations apart:
/// `pod-template-hash`, `rollouts-pod-template-hash`.
pub(super) fn of_template(json: &str) -> u64 {
    of_json(json, "pod-template-hash", &mut |_, _| {})
}

/// The hash of what a status says: times do not count, so that a heartbeat says nothing new.
pub(super) fn of_report(json: &str) -> u64 {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let meaning = Meaning { key: "", without: "", timeless: true, on_string: &mut |_, _| {} };
    meaning.deserialize(&mut deserializer).unwrap_or_default()
}

/// Whether a text is a date with a time, as RFC 3339 has it.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 20
        && bytes.iter().take(4).all(u8::is_ascii_digit)
        && [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')].iter().all(|(at, mark)| bytes[*at] == *mark)
}

/// The hash of a text.
pub(super) fn of_text(text: &str) -> u64 {
    tagged(b's', text.as_bytes())
}

/// The hash of a key with its value; the sum of several does not depend on their order.
pub(super) fn of_pair(key: &str, value: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(key.as_bytes());
    hasher.write_u64(value);
    hasher.finish()
}

fn tagged(tag: u8, bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(tag);
    hasher.write(bytes);
    hasher.finish()
}

struct Meaning<'s, 'f> {
    key: &'s str,
    without: &'s str,
    timeless: bool,
    on_string: &'s mut OnString<'f>,
}

/// A key, borrowed where JSON allows it.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> DeserializeSeed<'de> for Meaning<'_, '_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Meaning<'_, '_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<u64, E> {
        Ok(tagged(b'n', &[]))
    }

    fn visit_bool<E>(self, value: bool) -> Result<u64, E> {
        Ok(tagged(b'b', &[u8::from(value)]))
    }

    fn visit_i64<E>(self, value: i64) -> Result<u64, E> {
        Ok(tagged(b'i', &value.to_le_bytes()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<u64, E> {
        Ok(tagged(b'i', &value.to_le_bytes()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<u64, E> {
        Ok(tagged(b'f', &value.to_le_bytes()))
    }

    fn visit_str<E>(self, text: &str) -> Result<u64, E> {
        (self.on_string)(self.key, text);
        Ok(if self.timeless && is_time(text) { tagged(b't', &[]) } else { of_text(text) })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<u64, A::Error> {
        let Meaning { key, without, timeless, on_string } = self;
        let mut hash = tagged(b'[', &[]);
        while let Some(item) =
            items.next_element_seed(Meaning { key, without, timeless, on_string: &mut *on_string })?
        {
            hash = hash.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ item;
        }
        Ok(hash)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<u64, A::Error> {
        let Meaning { without, timeless, on_string, .. } = self;
        let mut hash = tagged(b'{', &[]);
        while let Some(Key(key)) = map.next_key()? {
            if !without.is_empty() && key.ends_with(without) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value = map.next_value_seed(Meaning { key: &key, without, timeless, on_string: &mut *on_string })?;
            hash = hash.wrapping_add(of_pair(&key, value));
        }
        Ok(hash)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hash(json: &str) -> u64 {
        of_json(json, "", &mut |_, _| {})
    }

    #[test]
    fn the_same_meaning_has_the_same_hash() {
        let one = r#"{"a":"\u003c\u00e9\u003e","b":[1,{"x":true,"y":null}]}"#;
        assert_eq!(hash(one), hash("{ \"b\" : [1, {\"y\": null, \"x\": true}],\n \"a\": \"<é>\" }"));
    }

    #[test]
    fn another_meaning_has_another_hash() {
        let one = hash(r#"{"a":"1","b":[1,2]}"#);
        for other in [r#"{"a":1,"b":[1,2]}"#, r#"{"a":"1","b":[2,1]}"#, r#"{"b":"1","a":[1,2]}"#, r#"{"a":"1"}"#, "{}"]
        {
            assert_ne!(one, hash(other), "{other}");
        }
    }

    #[test]
    fn what_is_left_out_does_not_count() {
        let without = |json: &str| of_json(json, "x", &mut |_, _| {});
        assert_eq!(without(r#"{"m":{"x":"1","a":2}}"#), without(r#"{"m":{"a":2}}"#));
    }

    #[test]
    fn strings_come_with_their_key() {
        let mut seen = Vec::new();
        let json = r#"{"name":"x","list":["y","z"],"deep":{"secretName":"s"}}"#;
        of_json(json, "", &mut |key, text| seen.push(format!("{key}={text}")));
        assert_eq!(seen, ["name=x", "list=y", "list=z", "secretName=s"]);
    }

    #[test]
    fn times_in_a_status_say_nothing_new() {
        let status =
            |time: &str, phase: &str| of_report(&format!(r#"{{"seen":"{time}","list":["{time}"],"phase":"{phase}"}}"#));
        assert_eq!(status("2026-01-01T00:00:00Z", "A"), status("2026-02-02T10:11:12.5+01:00", "A"));
        assert_ne!(status("2026-01-01T00:00:00Z", "A"), status("2026-01-01T00:00:00Z", "B"));
        assert_ne!(status("2026-01-01", "A"), status("2026-01-02", "A"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,60}") {
            hash(&text);
        }
    }
}
