//! The first fields of an audit event, which tell whether the rest is worth reading.
//!
//! Most of an audit log is reads and early stages: their bodies are long, and nothing follows from them.

use std::borrow::Cow;
use std::fmt;

use clew_weave::fact::Verb;
use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};

/// Whether an event is a write at its last stage, as far as its first fields tell; if they do not, it may be.
///
/// A line that does not end as an object is left to the full decoder, which says what is wrong with it.
pub(crate) fn may_be_write(line: &[u8]) -> bool {
    if !line.trim_ascii_end().ends_with(b"}") {
        return true;
    }
    let mut decided = None;
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    // The visitor stops as soon as it knows, which looks like an error to the deserializer.
    let _ = deserializer.deserialize_map(Head { decided: &mut decided });
    decided.unwrap_or(true)
}

struct Head<'d> {
    decided: &'d mut Option<bool>,
}

#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for Head<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an audit event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut is_last = None;
        let mut is_write = None;
        while let Some(Text(key)) = map.next_key()? {
            match key.as_ref() {
                "stage" => is_last = Some(is_last_stage(&map.next_value::<Text<'_>>()?.0)),
                "verb" => is_write = Some(Verb::parse(&map.next_value::<Text<'_>>()?.0).is_some()),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
            *self.decided = match (is_last, is_write) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => continue,
            };
            return Err(serde::de::Error::custom("decided"));
        }
        Ok(())
    }
}

/// Whether nothing more is to come of a request.
pub(super) fn is_last_stage(stage: &str) -> bool {
    matches!(stage, "ResponseComplete" | "Panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_writes_at_their_last_stage_are_worth_reading() {
        for (line, expected) in [
            (r#"{"stage":"ResponseComplete","verb":"create","x":1}"#, true),
            (r#"{"verb":"patch","stage":"Panic"}"#, true),
            (r#"{"stage":"RequestReceived","verb":"create"}"#, false),
            (r#"{"kind":"Event","stage":"ResponseComplete","verb":"list","responseObject":{}}"#, false),
            (r#"{"kind":"Event"}"#, true),
            (r#"{"stage":"ResponseComplete","verb":"get","#, true),
            ("no json", true),
            ("", true),
        ] {
            assert_eq!(may_be_write(line.as_bytes()), expected, "{line}");
        }
    }
}
