//! How a record lies in a segment: a header that is checked on its own, then the payload.
//!
//! The mark at the beginning lets a reader go on behind a damaged place; the two checksums tell a damaged header (its
//! length cannot be trusted) from a damaged payload (it can).

/// How long a header is.
pub const HEADER: usize = 32;
/// How long a payload may be.
pub const MAX_PAYLOAD: usize = 64 << 20;

const MARK: [u8; 4] = [0xC1, 0xE7, 0x0A, 0x9D];

/// What kind of record it is, sequence number and payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// A number that the writer chose.
    pub kind: u8,
    /// Its place among all records of the log.
    pub sequence: u64,
    /// What it holds.
    pub payload: &'a [u8],
}

/// What a reader finds in a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<'a> {
    /// A record as it was written.
    Record(Frame<'a>),
    /// Bytes that nobody wrote so.
    Damage(Damage),
}

/// A place that is not what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Where it begins.
    pub at: usize,
    /// How long it is.
    pub bytes: usize,
    /// Whether it reaches to the end, as a torn write does.
    pub tail: bool,
}

/// Appends a record to a buffer; a payload that is too long is refused.
#[must_use]
pub fn encode(kind: u8, sequence: u64, payload: &[&[u8]], into: &mut Vec<u8>) -> bool {
    let length: usize = payload.iter().map(|part| part.len()).sum();
    let Some(length) = u32::try_from(length).ok().filter(|_| length <= MAX_PAYLOAD) else { return false };
    let mut header = [0_u8; HEADER];
    header[..4].copy_from_slice(&MARK);
    header[4] = kind;
    header[8..12].copy_from_slice(&length.to_le_bytes());
    header[16..24].copy_from_slice(&sequence.to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    for part in payload {
        hasher.update(part);
    }
    header[24..32].copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    let check = header_check(&header);
    header[12..16].copy_from_slice(&check);
    into.extend_from_slice(&header);
    for part in payload {
        into.extend_from_slice(part);
    }
    true
}

/// The records of a segment, and the damage between them.
pub fn read(bytes: &[u8]) -> Frames<'_> {
    Frames { bytes, at: 0 }
}

/// Walks over a segment.
#[derive(Debug, Clone)]
pub struct Frames<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Frames<'_> {
    /// How far it came.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// The next place from here on where a header is whole.
    fn next_header(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(rest) = self.bytes.get(at..) {
            let step = rest.windows(MARK.len()).position(|window| window == MARK)?;
            at += step;
            if header_at(self.bytes, at).is_some() {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        if start >= self.bytes.len() {
            return None;
        }
        let Some(header) = header_at(self.bytes, start) else {
            let next = self.next_header(start + 1);
            self.at = next.unwrap_or(self.bytes.len());
            return Some(Found::Damage(Damage { at: start, bytes: self.at - start, tail: next.is_none() }));
        };
        let begin = start + HEADER;
        let payload = self.bytes.get(begin..begin.saturating_add(header.length));
        if let Some(payload) = payload.filter(|payload| blake3::hash(payload).as_bytes()[..8] == header.check) {
            self.at = begin + payload.len();
            return Some(Found::Record(Frame { kind: header.kind, sequence: header.sequence, payload }));
        }
        // The header is whole, so its length holds, unless the file ends before it: then a later record may lie inside.
        let end = begin + header.length;
        let next = if end < self.bytes.len() { Some(end) } else { self.next_header(start + 1) };
        self.at = next.unwrap_or(self.bytes.len());
        Some(Found::Damage(Damage { at: start, bytes: self.at - start, tail: next.is_none() }))
    }
}

struct Header {
    kind: u8,
    length: usize,
    sequence: u64,
    check: [u8; 8],
}

fn header_at(bytes: &[u8], at: usize) -> Option<Header> {
    let header: &[u8; HEADER] = bytes.get(at..at.checked_add(HEADER)?)?.try_into().ok()?;
    if header[..4] != MARK || header[12..16] != header_check(header) {
        return None;
    }
    let length = usize::try_from(u32::from_le_bytes(header[8..12].try_into().ok()?)).ok()?;
    if length > MAX_PAYLOAD {
        return None;
    }
    Some(Header {
        kind: header[4],
        length,
        sequence: u64::from_le_bytes(header[16..24].try_into().ok()?),
        check: header[24..32].try_into().ok()?,
    })
}

fn header_check(header: &[u8; HEADER]) -> [u8; 4] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&header[..12]).update(&header[16..]);
    let hash = hasher.finalize();
    let bytes = hash.as_bytes();
    [bytes[0], bytes[1], bytes[2], bytes[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Vec<u8> {
        let mut bytes = Vec::new();
        for sequence in 1..=3_u64 {
            assert!(encode(1, sequence, &[b"payload ", &[b'0'; 9]], &mut bytes));
        }
        bytes
    }

    fn sequences(bytes: &[u8]) -> (Vec<u64>, usize) {
        let (mut found, mut damaged) = (Vec::new(), 0);
        for item in read(bytes) {
            match item {
                Found::Record(frame) => {
                    assert_eq!(frame.payload, b"payload 000000000");
                    found.push(frame.sequence);
                }
                Found::Damage(damage) => damaged += damage.bytes,
            }
        }
        (found, damaged)
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(sequences(&three()), (vec![1, 2, 3], 0));
    }

    #[test]
    fn every_flipped_byte_costs_one_record_and_is_seen() {
        let good = three();
        for at in 0..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 0x40;
            let (found, damaged) = sequences(&bytes);
            assert_eq!(found.len(), 2, "byte {at}");
            assert!(damaged > 0);
        }
    }

    #[test]
    fn every_cut_keeps_the_records_before_it_and_says_tail() {
        let good = three();
        let one = good.len() / 3;
        for cut in 0..good.len() {
            let items: Vec<_> = read(&good[..cut]).collect();
            let records = items.iter().filter(|item| matches!(item, Found::Record(_))).count();
            assert_eq!(records, cut / one);
            if cut % one != 0 {
                assert!(matches!(items.last(), Some(Found::Damage(Damage { tail: true, .. }))));
            }
        }
    }

    #[test]
    fn a_payload_that_is_too_long_is_refused() {
        let long = vec![0; MAX_PAYLOAD + 1];
        assert!(!encode(1, 1, &[&long], &mut Vec::new()));
    }
}
