//! Hexadecimal without allocation, strict or lenient about case.

const INVALID: u8 = 0xff;

/// Which digits count: W3C takes lower-case only, other tools write either.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Lower-case digits only.
    Lower,
    /// Either case.
    Any,
}

const LOWER: [u8; 256] = table(Case::Lower);
const ANY: [u8; 256] = table(Case::Any);

/// The value of every byte that is a digit, and a mark for those that are none.
const fn table(case: Case) -> [u8; 256] {
    let mut table = [INVALID; 256];
    let mut value = 0_u8;
    while value < 16 {
        let digit = if value < 10 { b'0' + value } else { b'a' + value - 10 };
        table[digit as usize] = value;
        if matches!(case, Case::Any) {
            table[digit.to_ascii_uppercase() as usize] = value;
        }
        value += 1;
    }
    table
}

/// Decodes exactly `2 * N` digits, or nothing.
pub(crate) fn decode<const N: usize>(text: &[u8], case: Case) -> Option<[u8; N]> {
    if text.len() != 2 * N {
        return None;
    }
    let table = if case == Case::Lower { &LOWER } else { &ANY };
    let mut bytes = [0; N];
    let mut seen = 0;
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        let (high, low) = (table[usize::from(pair[0])], table[usize::from(pair[1])]);
        // One look at the end instead of a branch for each digit.
        seen |= high | low;
        *byte = high << 4 | low & 0xf;
    }
    (seen < 16).then_some(bytes)
}

/// The lower-case digits of `bytes` as text, with `out` as the room for it.
pub(crate) fn text<'a>(bytes: &[u8], out: &'a mut [u8; 32]) -> &'a str {
    std::str::from_utf8(encode(bytes, out)).unwrap_or_default()
}

/// Writes the lower-case digits of `bytes` into the first `2 * bytes.len()` places of `out`, and gives these back.
pub(crate) fn encode<'a>(bytes: &[u8], out: &'a mut [u8; 32]) -> &'a [u8] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut used = 0;
    for (pair, byte) in out.chunks_exact_mut(2).zip(bytes) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 0xf)];
        used += 2;
    }
    &out[..used]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_a_digit_or_is_refused() {
        for byte in 0..=u8::MAX {
            let digit = char::from(byte);
            let value = digit.to_digit(16).and_then(|value| u8::try_from(value).ok());
            let lower = value.filter(|_| !digit.is_ascii_uppercase());
            assert_eq!(decode(&[b'0', byte], Case::Any), value.map(|value| [value]), "{digit:?}");
            assert_eq!(decode(&[b'0', byte], Case::Lower), lower.map(|value| [value]), "{digit:?}");
            assert_eq!(decode(&[byte, b'0'], Case::Lower), lower.map(|value| [value << 4]), "{digit:?}");
        }
    }
}
