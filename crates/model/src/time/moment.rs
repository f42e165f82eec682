//! The type of a moment, and how it is shown and read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{format, parse};
use crate::{Error, Result};

/// A moment in nanoseconds since the Unix epoch, which covers the years 1678 to 2261.
///
/// ```
/// use clew_model::Time;
///
/// let time: Time = "2026-01-02T03:04:05.678+01:00".parse()?;
/// assert_eq!(time.to_string(), "2026-01-02T02:04:05.678Z");
/// assert_eq!(time.saturating_add(322_000_000).to_string(), "2026-01-02T02:04:06Z");
/// # Ok::<(), clew_model::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(i64);

impl Time {
    /// The earliest moment.
    pub const MIN: Self = Self(i64::MIN);
    /// The latest moment.
    pub const MAX: Self = Self(i64::MAX);
    /// 1970-01-01T00:00:00Z, which OTLP uses for "not known".
    pub const UNIX_EPOCH: Self = Self(0);

    /// Takes nanoseconds since the Unix epoch.
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// Takes OTLP's unsigned nanoseconds; what lies past the year 2262 becomes [`Time::MAX`].
    pub const fn from_unsigned_nanos(nanos: u64) -> Self {
        if nanos > i64::MAX as u64 { Self::MAX } else { Self(nanos.cast_signed()) }
    }

    /// Nanoseconds since the Unix epoch.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// The moment `nanos` later, or the latest there is.
    pub const fn saturating_add(self, nanos: i64) -> Self {
        Self(self.0.saturating_add(nanos))
    }

    /// The moment `nanos` earlier, or the earliest there is.
    pub const fn saturating_sub(self, nanos: i64) -> Self {
        Self(self.0.saturating_sub(nanos))
    }

    /// Nanoseconds from `earlier` until this moment; negative if it is the later one.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Writes RFC 3339 to the end of `out`, as [`Time::to_string`] would give it.
    pub fn write_rfc3339(self, out: &mut Vec<u8>) {
        out.extend_from_slice(format::rfc3339(self.0, &mut [0; format::LONGEST]));
    }

    /// Reads RFC 3339 bytes, so that a decoder need not check UTF-8 first.
    pub fn parse_bytes(text: &[u8]) -> Result<Self> {
        parse::rfc3339(text).map(Self)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(format::text(self.0, &mut [0; format::LONGEST]))
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Time {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse_bytes(text.as_bytes())
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(format::text(self.0, &mut [0; format::LONGEST]))
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_str(Rfc3339)
    }
}

struct Rfc3339;

impl de::Visitor<'_> for Rfc3339 {
    type Value = Time;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an RFC 3339 time")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Time, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_time_survives_text_and_json(nanos: i64) {
            let time = Time::from_nanos(nanos);
            prop_assert_eq!(time.to_string().parse::<Time>(), Ok(time));
            let mut written = b"at ".to_vec();
            time.write_rfc3339(&mut written);
            prop_assert_eq!(String::from_utf8(written).unwrap(), format!("at {time}"));
            let json = serde_json::to_string(&time).unwrap();
            prop_assert_eq!(serde_json::from_str::<Time>(&json).unwrap(), time);
        }

        #[test]
        fn times_sort_as_their_nanoseconds(a: i64, b: i64) {
            prop_assert_eq!(Time::from_nanos(a).cmp(&Time::from_nanos(b)), a.cmp(&b));
        }
    }

    #[test]
    fn sums_stop_at_the_ends() {
        assert_eq!(Time::MAX.saturating_add(1), Time::MAX);
        assert_eq!(Time::MIN.saturating_sub(1), Time::MIN);
        assert_eq!(Time::MAX.since(Time::MIN), i64::MAX);
        assert_eq!(Time::from_unsigned_nanos(u64::MAX), Time::MAX);
    }
}
