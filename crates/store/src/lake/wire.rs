//! The contents of an OTLP request's spans as hashes, without decoding them.

use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::LazyLock;

use foldhash::quality::RandomState;

/// A hash with a key of this process: nobody can make a span that passes for another's. Of the million spans that are
/// remembered, one in twenty million million passes for another by chance.
static KEY: LazyLock<RandomState> = LazyLock::new(Default::default);

/// A hash of each span as it came, with its resource and scope; none if the request is not well formed. The same in this
/// process only.
pub(super) fn contents(request: &[u8]) -> Option<Vec<u64>> {
    let mut hashes = Vec::new();
    for (field, resource_spans) in Fields(request) {
        let (1, Some(resource_spans)) = (field?, resource_spans) else { continue };
        let mut resource = 0;
        parts(resource_spans, 2, |part| resource = hash(resource, part))?;
        for (field, scope_spans) in Fields(resource_spans) {
            let (2, Some(scope_spans)) = (field?, scope_spans) else { continue };
            let mut about = resource;
            parts(scope_spans, 2, |part| about = hash(about, part))?;
            for (field, span) in Fields(scope_spans) {
                if let (2, Some(span)) = (field?, span) {
                    hashes.push(hash(about, span));
                }
            }
        }
    }
    Some(hashes)
}

/// A hash of what came before and a part.
fn hash(before: u64, part: &[u8]) -> u64 {
    let mut hasher = KEY.build_hasher();
    hasher.write_u64(before);
    hasher.write(part);
    hasher.finish()
}

/// Everything in a message beside the field that is looked at one by one.
fn parts(message: &[u8], but: u64, mut take: impl FnMut(&[u8])) -> Option<()> {
    for (field, content) in Fields(message) {
        if field? != but
            && let Some(content) = content
        {
            take(content);
        }
    }
    Some(())
}

/// The fields of a protobuf message: number, and content where it has a length. A field that is not well formed is none.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = (Option<u64>, Option<&'a [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        let (number, content) = field.unzip();
        Some((number, content.flatten()))
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<(u64, Option<&'a [u8]>)> {
        let key = self.varint()?;
        let content = match key & 7 {
            0 => self.varint().map(|_| None)?,
            1 => self.skip(8).map(|_| None)?,
            2 => {
                let length = self.varint()?;
                Some(self.skip(usize::try_from(length).ok()?)?)
            }
            5 => self.skip(4).map(|_| None)?,
            _ => return None,
        };
        Some((key >> 3, content))
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn skip(&mut self, length: usize) -> Option<&'a [u8]> {
        let (skipped, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(field: u8, content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![field << 3 | 2, u8::try_from(content.len()).unwrap()];
        bytes.extend_from_slice(content);
        bytes
    }

    fn request(resource: &[u8], spans: &[&[u8]]) -> Vec<u8> {
        let spans: Vec<u8> = spans.iter().flat_map(|span| message(2, span)).collect();
        let inside = [message(1, resource), message(2, &spans)].concat();
        message(1, &inside)
    }

    #[test]
    fn the_same_span_of_the_same_resource_has_the_same_hash_in_any_request() {
        let one = contents(&request(b"r", &[b"a", b"b"])).unwrap();
        let other = contents(&request(b"r", &[b"b", b"a", b"c"])).unwrap();
        assert_eq!((one[0], one[1]), (other[1], other[0]));
        assert_ne!(contents(&request(b"q", &[b"a"])).unwrap()[0], one[0]);
        assert_eq!(other.len(), 3);
    }

    #[test]
    fn a_request_that_is_cut_has_no_hashes() {
        let request = request(b"r", &[b"a", b"b"]);
        assert_eq!(contents(&request[..request.len() - 1]), None);
        assert_eq!(contents(&[]), Some(Vec::new()));
    }
}
