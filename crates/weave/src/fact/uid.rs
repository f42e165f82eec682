//! UIDs and audit ids: 16 bytes when they are UUIDs, the text itself when they are not.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An id that Kubernetes gave: of an object, an audited request, an admission review.
///
/// Nearly all are UUIDs, and millions of them are held; a static pod's UID and an audit id that a client chose are not.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Uid {
    /// A UUID in its usual form.
    Uuid(u128),
    /// Anything else, as it was written.
    Other(Arc<str>),
}

impl Uid {
    /// Takes the id as Kubernetes wrote it.
    pub fn new(text: &str) -> Self {
        parse_uuid(text.as_bytes()).map_or_else(|| Self::Other(text.into()), Self::Uuid)
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Other(text) if text.is_empty())
    }
}

impl Default for Uid {
    fn default() -> Self {
        Self::Other("".into())
    }
}

impl From<&str> for Uid {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(text) => f.write_str(text),
            Self::Uuid(id) => {
                let part = |from: u32, bits: u32| (id >> from) & ((1 << bits) - 1);
                let (first, last) = (part(96, 32), part(0, 48));
                write!(f, "{first:08x}-{:04x}-{:04x}-{:04x}-{last:012x}", part(80, 16), part(64, 16), part(48, 16))
            }
        }
    }
}

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Uid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Uid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        std::borrow::Cow::<str>::deserialize(deserializer).map(|text| Self::new(&text))
    }
}

/// Only the canonical lower-case form counts, so that what was read is what is shown.
fn parse_uuid(text: &[u8]) -> Option<u128> {
    let text: &[u8; 36] = text.try_into().ok()?;
    if [8, 13, 18, 23].iter().any(|at| text[*at] != b'-') {
        return None;
    }
    let [first, second, third] = [hex(0, &text[..8])?, hex(0, &text[9..13])?, hex(0, &text[14..18])?];
    let high = first << 32 | second << 16 | third;
    let low = hex(hex(0, &text[19..23])?, &text[24..])?;
    Some(u128::from(high) << 64 | u128::from(low))
}

/// A number with so many digits more.
fn hex(number: u64, digits: &[u8]) -> Option<u64> {
    let (mut number, mut wrong) = (number, 0);
    for byte in digits {
        let digit = DIGITS[usize::from(*byte)];
        wrong |= digit;
        number = number << 4 | u64::from(digit & 0xf);
    }
    (wrong <= 0xf).then_some(number)
}

/// The value of each digit; more than 15 for what is none.
const DIGITS: [u8; 256] = {
    let mut digits = [0xff; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value as usize] as usize] = value;
        value += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_what_is_shown() {
        for text in [
            "0cbc8454-abfe-4a93-9c8c-c78b879e1fc4",
            "00000000-0000-0000-0000-000000000000",
            "0CBC8454-abfe-4a93-9c8c-c78b879e1fc4",
            "0cbc8454-abfe-4a93-9c8c_c78b879e1fc4",
            "0cbc8454-abfe-4a93-9c8c-c78b879e1fcg",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "f2345678-1bcd-3def-4f01-234567890abc",
            "5f2b8cd3941f46",
            "",
            "ünïcödé-ünïcödé-ünïcödé",
        ] {
            assert_eq!(Uid::new(text).to_string(), text);
        }
    }

    #[test]
    fn a_uuid_takes_no_heap() {
        assert!(matches!(Uid::new("0cbc8454-abfe-4a93-9c8c-c78b879e1fc4"), Uid::Uuid(_)));
    }
}
