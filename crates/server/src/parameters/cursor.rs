//! Where the next page begins, as an opaque word of an address.

use clew_model::Time;
use clew_store::Cursor;

use super::bad::{BadParameter, quote};

/// The word for a place in the list.
pub(crate) fn write_cursor(cursor: Cursor) -> String {
    format!("{}-{}", cursor.start.as_nanos(), cursor.journey)
}

/// The place in the list that a word means.
pub(crate) fn read_cursor(text: &str) -> Result<Cursor, BadParameter> {
    let parts = text.rsplit_once('-').and_then(|(start, journey)| {
        let start = Time::from_nanos(start.parse().ok()?);
        Some(Cursor { start, journey: journey.parse().ok()? })
    });
    parts.ok_or_else(|| {
        BadParameter::new("cursor", format!("{} is none: take it from `next` of the page before", quote(text)))
    })
}

#[cfg(test)]
mod tests {
    use clew_model::TraceId;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_cursor_is_refused() {
        for text in ["", "x", "12", "-", "5-zz", "x-0102030405060708090a0b0c0d0e0f10"] {
            assert!(read_cursor(text).unwrap_err().to_string().starts_with("parameter cursor: "), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_cursor_comes_back(start in any::<i64>(), id in any::<[u8; 16]>()) {
            let cursor = Cursor { start: Time::from_nanos(start), journey: TraceId::from_bytes(id) };
            prop_assert_eq!(read_cursor(&write_cursor(cursor)), Ok(cursor));
        }
    }
}
