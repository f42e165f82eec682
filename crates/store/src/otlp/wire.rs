//! Protobuf's wire format: fields as they lie, nothing copied.

use super::Malformed;

/// How deep groups, which nobody uses any more, may nest in a field that is skipped.
const MAX_GROUPS: usize = 16;

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wire<'a> {
    Varint(u64),
    Fixed64(u64),
    Fixed32(u32),
    Bytes(&'a [u8]),
    /// A group, whose content is of no use to us.
    Group,
}

/// One field of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) number: u32,
    pub(super) wire: Wire<'a>,
}

impl<'a> Field<'a> {
    pub(super) fn bytes(&self) -> Result<&'a [u8], Malformed> {
        match self.wire {
            Wire::Bytes(bytes) => Ok(bytes),
            _ => Err(Malformed("a field that holds bytes has another type")),
        }
    }

    pub(super) fn varint(&self) -> Result<u64, Malformed> {
        match self.wire {
            Wire::Varint(number) => Ok(number),
            _ => Err(Malformed("a field that holds a number has another type")),
        }
    }

    pub(super) fn fixed64(&self) -> Result<u64, Malformed> {
        match self.wire {
            Wire::Fixed64(number) => Ok(number),
            _ => Err(Malformed("a field of 8 bytes has another type")),
        }
    }

    pub(super) fn fixed32(&self) -> Result<u32, Malformed> {
        match self.wire {
            Wire::Fixed32(number) => Ok(number),
            _ => Err(Malformed("a field of 4 bytes has another type")),
        }
    }
}

/// The fields of a message, in their order. Ends at the first that cannot be read.
#[derive(Debug, Clone)]
pub(super) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn new(message: &'a [u8]) -> Self {
        Self(message)
    }

    #[inline]
    fn next_field(&mut self) -> Result<Field<'a>, Malformed> {
        let (number, kind) = self.tag()?;
        let wire = match kind {
            0 => Wire::Varint(self.varint()?),
            1 => Wire::Fixed64(u64::from_le_bytes(self.take_array()?)),
            2 => {
                let length = self.varint()?;
                Wire::Bytes(self.take(usize::try_from(length).map_err(|_| TRUNCATED)?)?)
            }
            3 => {
                self.skip_group(number, MAX_GROUPS)?;
                Wire::Group
            }
            5 => Wire::Fixed32(u32::from_le_bytes(self.take_array()?)),
            _ => return Err(Malformed("a field has a type that protobuf does not know")),
        };
        Ok(Field { number, wire })
    }

    fn tag(&mut self) -> Result<(u32, u32), Malformed> {
        let key = u32::try_from(self.varint()?).map_err(|_| Malformed("a field's number is too large"))?;
        match key >> 3 {
            0 => Err(Malformed("a field has the number 0")),
            number => Ok((number, key & 7)),
        }
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, Malformed> {
        // Nearly all numbers and lengths of OTLP are of one byte.
        if let [byte @ 0..0x80, rest @ ..] = self.0 {
            self.0 = rest;
            return Ok(u64::from(*byte));
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> Result<u64, Malformed> {
        let mut number = 0_u64;
        for (place, byte) in self.0.iter().take(10).enumerate() {
            // Of the tenth byte only the lowest bit fits.
            if place == 9 && *byte > 1 {
                return Err(Malformed("a number has more than 64 bits"));
            }
            number |= u64::from(byte & 0x7f) << (7 * place);
            if *byte < 0x80 {
                self.0 = &self.0[place + 1..];
                return Ok(number);
            }
        }
        Err(TRUNCATED)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(TRUNCATED)?;
        self.0 = rest;
        Ok(taken)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(TRUNCATED)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn skip_group(&mut self, number: u32, depth: usize) -> Result<(), Malformed> {
        let depth = depth.checked_sub(1).ok_or(Malformed("groups are nested too deep"))?;
        loop {
            let (inner, kind) = self.tag()?;
            match kind {
                0 => drop(self.varint()?),
                1 => drop(self.take(8)?),
                2 => {
                    let length = self.varint()?;
                    self.take(usize::try_from(length).map_err(|_| TRUNCATED)?)?;
                }
                3 => self.skip_group(inner, depth)?,
                4 if inner == number => return Ok(()),
                5 => drop(self.take(4)?),
                _ => return Err(Malformed("a group does not end as it began")),
            }
        }
    }
}

const TRUNCATED: Malformed = Malformed("it ends in the middle of a field");

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, Malformed>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.next_field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// The fields of a message, each with all of its bytes, its number included.
pub(super) fn raw_fields(message: &[u8]) -> impl Iterator<Item = Result<(Field<'_>, &[u8]), Malformed>> {
    let mut fields = Fields::new(message);
    std::iter::from_fn(move || {
        let before = fields.0;
        let field = fields.next()?;
        Some(field.map(|field| (field, &before[..before.len() - fields.0.len()])))
    })
}

/// A message of exactly two fields of bytes, number 1 and 2, both short: nearly every attribute is one.
#[inline]
pub(super) fn short_pair(message: &[u8]) -> Option<(&[u8], &[u8])> {
    let [0x0a, length @ 0..0x80, rest @ ..] = message else { return None };
    let (first, rest) = rest.split_at_checked(usize::from(*length))?;
    let [0x12, length @ 0..0x80, second @ ..] = rest else { return None };
    (second.len() == usize::from(*length)).then_some((first, second))
}

/// A message of exactly one field of bytes, number 1, which is short: nearly every value is one.
#[inline]
pub(super) fn short_text(message: &[u8]) -> Option<&[u8]> {
    let [0x0a, length @ 0..0x80, text @ ..] = message else { return None };
    (text.len() == usize::from(*length)).then_some(text)
}

/// Writes a field of bytes.
pub(super) fn put_bytes(out: &mut Vec<u8>, number: u8, bytes: &[u8]) {
    out.push(number << 3 | 2);
    let mut length = bytes.len();
    while length >= 0x80 {
        out.push(u8::try_from(length & 0x7f).unwrap_or_default() | 0x80);
        length >>= 7;
    }
    out.push(u8::try_from(length).unwrap_or_default());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(message: &[u8]) -> Result<Vec<u32>, Malformed> {
        Fields::new(message).map(|field| field.map(|field| field.number)).collect()
    }

    #[test]
    fn every_type_of_field_is_read_or_skipped() {
        let message = [8, 150, 1, 17, 1, 2, 3, 4, 5, 6, 7, 8, 26, 2, b'h', b'i', 35, 8, 1, 36, 45, 1, 2, 3, 4];
        assert_eq!(numbers(&message), Ok(vec![1, 2, 3, 4, 5]));
    }

    #[test]
    fn what_is_cut_off_is_malformed() {
        let message = [8, 150, 1, 26, 2, b'h', b'i'];
        for end in [1, 2, 4, 5, 6] {
            assert!(numbers(&message[..end]).is_err(), "{end} bytes");
        }
        assert_eq!(numbers(&[0]), Err(Malformed("a field has the number 0")));
        assert_eq!(numbers(&[14]), Err(Malformed("a field has a type that protobuf does not know")));
        assert!(numbers(&[8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2]).is_err());
        assert!(numbers(&[11; 1000]).is_err());
    }

    #[test]
    fn the_short_way_reads_what_the_long_one_reads() {
        assert_eq!(short_pair(&[10, 1, b'k', 18, 2, 10, 0]), Some((&b"k"[..], &[10, 0][..])));
        assert_eq!(short_text(&[10, 1, b'x']), Some(&b"x"[..]));
        for other in [&[10, 1, b'k'][..], &[10, 2, b'k', 18, 0], &[10, 1, b'k', 18, 0, 24, 1], &[18, 0, 10, 0], &[]] {
            assert_eq!(short_pair(other), None, "{other:?}");
        }
        for other in [&[10, 2, b'x'][..], &[10, 1, b'x', 24, 1], &[18, 1, b'x'], &[]] {
            assert_eq!(short_text(other), None, "{other:?}");
        }
        let all: Vec<usize> = raw_fields(&[8, 150, 1, 26, 1, 0]).map(|field| field.unwrap().1.len()).collect();
        assert_eq!(all, [3, 3]);
    }

    #[test]
    fn lengths_are_written_as_they_are_read() {
        for length in [0, 1, 127, 128, 300, 20_000] {
            let mut out = Vec::new();
            put_bytes(&mut out, 2, &vec![7; length]);
            let field = Fields::new(&out).next().unwrap().unwrap();
            assert_eq!((field.number, field.bytes().unwrap().len()), (2, length));
        }
    }
}
