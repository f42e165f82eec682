//! The ids of traces, spans and commands.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::hex::{self, Case};
use crate::{Error, Result};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $size:literal, $kind:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; $size]);

        impl $name {
            /// The all-zero id, which W3C and OTLP call invalid: it names nothing.
            pub const INVALID: Self = Self([0; $size]);

            /// Takes the bytes as they come over the wire.
            pub const fn from_bytes(bytes: [u8; $size]) -> Self {
                Self(bytes)
            }

            /// Takes a slice as OTLP carries it; nothing if its length is wrong.
            pub fn from_slice(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(Self)
            }

            /// The bytes as they go over the wire.
            pub const fn to_bytes(self) -> [u8; $size] {
                self.0
            }

            /// Whether the id names something: any byte is not zero.
            pub fn is_valid(self) -> bool {
                self != Self::INVALID
            }

            /// Writes its hexadecimal digits to the end of `out`, as `to_string` would give them.
            pub fn write_hex(self, out: &mut Vec<u8>) {
                out.extend_from_slice(hex::encode(&self.0, &mut [0; 32]));
            }

            /// Reads hexadecimal of either case, for sources other than W3C headers.
            pub fn parse_lenient(text: &str) -> Result<Self> {
                Self::parse(text.as_bytes(), Case::Any)
            }

            pub(crate) fn parse_strict(text: &[u8]) -> Result<Self> {
                Self::parse(text, Case::Lower)
            }

            fn parse(text: &[u8], case: Case) -> Result<Self> {
                let bytes = hex::decode(text, case);
                bytes.map(Self).ok_or(Error::Id { kind: $kind, expected: 2 * $size })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(hex::text(&self.0, &mut [0; 32]))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                Self::parse_strict(text.as_bytes())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(hex::text(&self.0, &mut [0; 32]))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                struct Hex;
                impl de::Visitor<'_> for Hex {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        write!(f, "a {} of {} lower-case hexadecimal digits", $kind, 2 * $size)
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Hex)
            }
        }
    };
}

id!(
    /// Names a trace; a journey's id is one (DESIGN's *Journey*).
    ///
    /// ```
    /// use clew_model::TraceId;
    ///
    /// let id: TraceId = "4bf92f3577b34da6a3ce929d0e0e4736".parse()?;
    /// assert!(id.is_valid());
    /// assert_eq!(id.to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
    /// assert!("4BF92F3577B34DA6A3CE929D0E0E4736".parse::<TraceId>().is_err());
    /// # Ok::<(), clew_model::Error>(())
    /// ```
    TraceId,
    16,
    "trace id"
);

id!(
    /// Names a span within a trace.
    SpanId,
    8,
    "span id"
);

id!(
    /// Names a command: the roots that one command made.
    CommandId,
    8,
    "command id"
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_id_survives_text_and_json(bytes: [u8; 16]) {
            let id = TraceId::from_bytes(bytes);
            prop_assert_eq!(id.to_string().parse::<TraceId>().unwrap(), id);
            let json = serde_json::to_string(&id).unwrap();
            prop_assert_eq!(serde_json::from_str::<TraceId>(&json).unwrap(), id);
        }

        #[test]
        fn ids_sort_as_their_texts_do(a: [u8; 8], b: [u8; 8]) {
            let (a, b) = (SpanId::from_bytes(a), SpanId::from_bytes(b));
            prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            let _ = text.parse::<SpanId>();
            let _ = TraceId::parse_lenient(&text);
        }
    }

    #[test]
    fn upper_case_is_read_only_when_asked() {
        let text = "00F067AA0BA902B7";
        assert!(text.parse::<SpanId>().is_err());
        assert_eq!(SpanId::parse_lenient(text).unwrap().to_string(), "00f067aa0ba902b7");
    }

    #[test]
    fn the_zero_id_is_readable_but_not_valid() {
        let zero: SpanId = "0000000000000000".parse().unwrap();
        assert_eq!(zero, SpanId::INVALID);
        assert!(!zero.is_valid());
    }

    #[test]
    fn the_error_says_how_many_digits_are_expected() {
        let error = "12".parse::<TraceId>().unwrap_err();
        assert_eq!(error.to_string(), "cannot read the trace id: expected 32 lower-case hexadecimal digits");
    }
}
