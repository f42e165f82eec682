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

const fn table() -> [u8; 256] {
    let mut table = [INVALID; 256];
    let mut digit = 0;
    while digit < 10 {
        table[b'0' as usize + digit as usize] = digit;
        digit += 1;
    }
    while digit < 16 {
        table[b'a' as usize + digit as usize - 10] = digit;
        digit += 1;
    }
    table
}

const LOWER: [u8; 256] = table();

fn digit(byte: u8, case: Case) -> u8 {
    let byte = if case == Case::Any {
        byte.to_ascii_lowercase()
    } else {
        byte
    };
    LOWER[usize::from(byte)]
}

/// Decodes exactly `2 * N` digits, or nothing.
pub(crate) fn decode<const N: usize>(text: &[u8], case: Case) -> Option<[u8; N]> {
    if text.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        let (high, low) = (digit(pair[0], case), digit(pair[1], case));
        if high == INVALID || low == INVALID {
            return None;
        }
        *byte = high << 4 | low;
    }
    Some(bytes)
}

/// Writes the lower-case digits of `bytes` into the first `2 * bytes.len()` places of `out`.
pub(crate) fn encode<'a>(bytes: &[u8], out: &'a mut [u8; 32]) -> &'a str {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut used = 0;
    for (pair, byte) in out.chunks_exact_mut(2).zip(bytes) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 0xf)];
        used += 2;
    }
    std::str::from_utf8(&out[..used]).unwrap_or_default()
}
