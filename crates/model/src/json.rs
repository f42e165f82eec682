//! What many writers and readers of JSON ask of a text.

/// Whether JSON has this byte in no text as it is.
pub const fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Whether JSON has the text as it is, between quotes: nothing in it is escaped. Hardly any text has something that is.
///
/// ```
/// use clew_model::json;
///
/// assert!(json::is_plain("k8s.pod.name é"));
/// assert!(!json::is_plain("a \"quoted\" word"));
/// ```
pub fn is_plain(text: &str) -> bool {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    // Without a way out in between: most texts are short, and all of them are looked at to the end.
    let found = words.iter().fold(0, |found, word| found | specials(u64::from_ne_bytes(*word)));
    found == 0 && !rest.iter().any(|byte| is_special(*byte))
}

/// How many bytes of a text come before the first that is special.
pub fn plain_bytes(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        let found = specials(u64::from_le_bytes(*word));
        if found != 0 {
            // The lowest is right: only bytes above one that is special are taken for one.
            return place * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    text.len() - rest.len() + rest.iter().position(|byte| is_special(*byte)).unwrap_or(rest.len())
}

/// Eight bytes at once: not zero if one of them is special.
const fn specials(word: u64) -> u64 {
    let (quote, backslash) = (word ^ every(b'"'), word ^ every(b'\\'));
    less(word, b' ') | less(quote, 1) | less(backslash, 1)
}

/// Not zero if one of eight bytes is less than this one, which is at most 128.
const fn less(word: u64, than: u8) -> u64 {
    word.wrapping_sub(every(than)) & !word & every(0x80)
}

const fn every(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_is_plain_if_none_of_its_bytes_is_special(text in "[ -~é\u{0}-\u{1f}\u{7f}]{0,40}|[!#a-z\u{80}-\u{10ffff}]{0,40}") {
            let first = text.bytes().position(is_special);
            prop_assert_eq!(is_plain(&text), first.is_none());
            prop_assert_eq!(plain_bytes(text.as_bytes()), first.unwrap_or(text.len()));
        }
    }

    #[test]
    fn every_byte_is_seen_at_every_place() {
        for length in 1..=17 {
            for place in 0..length {
                for byte in 0..0x80 {
                    let mut text = vec![b'a'; length];
                    text[place] = byte;
                    let text = String::from_utf8(text).unwrap();
                    assert_eq!(is_plain(&text), !is_special(byte), "{text:?}");
                    let plain = if is_special(byte) { place } else { length };
                    assert_eq!(plain_bytes(text.as_bytes()), plain, "{text:?}");
                }
            }
        }
    }
}
