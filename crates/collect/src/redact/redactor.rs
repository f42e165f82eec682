//! The keyed hash, and what it can be applied to.

use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::json::{Edits, Members, is_object};
use super::marks::{self, Marks};
use super::object::Hints;
use super::{audit, metadata, object};
use crate::CollectError;

/// What every redacted value starts with.
pub const REDACTED_PREFIX: &str = "redacted:hmac:";
/// Bytes of the hash that are kept: enough to tell values apart, whoever chose them.
const KEPT: usize = 16;

/// Replaces what must not be kept by a hash under one key.
///
/// The key is made at the edge for one recording or one installation, and never written next to the data.
#[derive(Clone)]
pub struct Redactor {
    key: [u8; 32],
    marks: Option<Arc<Marks>>,
}

impl Redactor {
    /// A redactor with this key.
    pub const fn new(key: [u8; 32]) -> Self {
        Self { key, marks: None }
    }

    /// The same, remembering marked objects from line to line and from source to source.
    pub fn remembering(self, marks: Arc<Marks>) -> Self {
        Self { marks: Some(marks), ..self }
    }

    pub(super) fn marks(&self) -> Option<&Marks> {
        self.marks.as_deref()
    }

    /// What stands in the place of a value: `redacted:hmac:` and 32 hex digits.
    pub fn hash(&self, value: &[u8]) -> String {
        let hash = blake3::keyed_hash(&self.key, value).to_hex();
        format!("{REDACTED_PREFIX}{}", &hash[..KEPT * 2])
    }

    /// Redacts one `audit.k8s.io` event.
    pub fn audit_event(&self, event: &str) -> Result<String, CollectError> {
        Self::edit(event, |raw, edits| audit::event(self, raw, edits))
    }

    /// Redacts one object that was listed or watched, given the plural name of its resource.
    pub fn object(&self, resource: &str, object: &str) -> Result<String, CollectError> {
        let hints = Hints::of_resource(resource);
        Self::edit(object, |raw, edits| {
            self.remember(resource, raw)?;
            object::object(self, raw, hints, edits)
        })
    }

    fn remember(&self, resource: &str, object: &RawValue) -> Result<(), serde_json::Error> {
        let Some(marks) = self.marks() else { return Ok(()) };
        let object = Members::of(object)?;
        if metadata::is_marked(&object)?
            && let Some(names) = object.get("metadata")
            && let Some(key) = marks::key(resource, &Members::of(names)?)
        {
            marks.add(key);
        }
        Ok(())
    }

    fn edit<'a>(
        text: &'a str,
        rules: impl FnOnce(&'a RawValue, &mut Edits<'a>) -> Result<(), serde_json::Error>,
    ) -> Result<String, CollectError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| CollectError::not_redactable(&error))?;
        // The API server repeats no name: whoever did, meant one of the two to be overlooked.
        let is_clear = Members::of(raw).is_ok_and(|members| !members.have_duplicates());
        if !is_object(raw) || !is_clear {
            return Err(CollectError::NotRedactable { column: 1 });
        }
        let mut edits = Edits::new(text);
        rules(raw, &mut edits).map_err(|error| CollectError::not_redactable(&error))?;
        Ok(edits.finish())
    }
}

impl fmt::Debug for Redactor {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_value_gives_the_same_hash_under_one_key_only() {
        let (one, two) = (Redactor::new([1; 32]), Redactor::new([2; 32]));
        assert_eq!(one.hash(b"x"), one.hash(b"x"));
        assert_ne!(one.hash(b"x"), two.hash(b"x"));
        assert_ne!(one.hash(b"x"), one.hash(b"y"));
        assert_eq!(one.hash(b"x").len(), REDACTED_PREFIX.len() + 32);
    }

    #[test]
    fn the_key_is_not_shown() {
        assert_eq!(format!("{:?}", Redactor::new([7; 32])), "Redactor { .. }");
    }
}
