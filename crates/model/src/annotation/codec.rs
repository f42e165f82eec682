//! Reads and writes the trace context among an object's annotations.

use compact_str::CompactString;

use super::decode;
use super::keys::{self, DEFAULT_KEY, KNOWN_KEYS};
use crate::{Error, Result, TraceContext};

/// Reads and writes trace contexts on objects.
///
/// ```
/// use std::collections::BTreeMap;
/// use clew_model::annotation::Codec;
///
/// let annotations = BTreeMap::from([(
///     "tekton.dev/taskrunSpanContext",
///     r#"{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}"#,
/// )]);
/// let found = Codec::default().read(|key| annotations.get(key))?.expect("a context");
/// assert_eq!(found.key, "tekton.dev/taskrunSpanContext");
///
/// let codec = Codec::default();
/// let value = codec.write(&found.context, |key| annotations.get(key)).expect("not there yet");
/// assert_eq!(value, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
/// # Ok::<(), clew_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Codec {
    key: CompactString,
}

/// A trace context, and the annotation that held it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The context.
    pub context: TraceContext,
    /// The annotation's key.
    pub key: CompactString,
}

impl Default for Codec {
    fn default() -> Self {
        Self::new(DEFAULT_KEY)
    }
}

impl Codec {
    /// A codec that writes under this key, and reads it before all others.
    pub fn new(key: impl Into<CompactString>) -> Self {
        Self { key: key.into() }
    }

    /// The key that clew writes.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether the annotation is a tracing one, so that a difference in it alone is no change.
    pub fn is_context_key(&self, key: &str) -> bool {
        key == self.key || KNOWN_KEYS.contains(&key) || keys::COMPANIONS.contains(&key)
    }

    /// The first valid trace context among an object's annotations, ours before others.
    ///
    /// An error says that annotations were there, but none could be read.
    pub fn read<T: AsRef<str>>(&self, get: impl Fn(&str) -> Option<T>) -> Result<Option<Found>> {
        let mut first_error = None;
        let others = KNOWN_KEYS.iter().copied().filter(|key| *key != self.key);
        for key in std::iter::once(self.key.as_str()).chain(others) {
            let Some(value) = get(key) else { continue };
            match decode::value(key, value.as_ref(), &get) {
                Ok(context) => {
                    return Ok(Some(Found { context, key: key.into() }));
                }
                Err(reason) => {
                    first_error.get_or_insert(Error::Annotation { key: key.into(), reason });
                }
            }
        }
        match first_error {
            None => Ok(decode::legacy_pair(&get)),
            Some(error) => decode::legacy_pair(&get).map(Some).ok_or(error),
        }
    }

    /// The value to write under [`Codec::key`], or nothing if it is right already.
    ///
    /// Two writers on one annotation can loop, so what is right is never rewritten.
    pub fn write<T: AsRef<str>>(&self, context: &TraceContext, get: impl Fn(&str) -> Option<T>) -> Option<String> {
        if !context.is_valid() {
            return None;
        }
        let present = get(&self.key).and_then(|value| decode::value(&self.key, value.as_ref(), &get).ok());
        let right = present.is_some_and(|present| {
            present.trace_id == context.trace_id
                && present.span_id == context.span_id
                && present.is_sampled() == context.is_sampled()
        });
        (!right).then(|| context.traceparent())
    }
}
