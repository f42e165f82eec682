//! The contents of an OTLP request's spans as hashes, without decoding them.

/// A hash of each span as it came, with its resource and scope; none if the request is not well formed.
pub(super) fn contents(request: &[u8]) -> Option<Vec<u128>> {
    let mut hashes = Vec::new();
    for (field, resource_spans) in Fields(request) {
        let (1, Some(resource_spans)) = (field?, resource_spans) else { continue };
        let mut about = blake3::Hasher::new();
        parts(resource_spans, 2, |resource| {
            about.update(resource);
        })?;
        for (field, scope_spans) in Fields(resource_spans) {
            let (2, Some(scope_spans)) = (field?, scope_spans) else { continue };
            let mut about = about.clone();
            parts(scope_spans, 2, |scope| {
                about.update(scope);
            })?;
            let about = short(&about);
            for (field, span) in Fields(scope_spans) {
                if let (2, Some(span)) = (field?, span) {
                    hashes.push(short(blake3::Hasher::new().update(span)) ^ about);
                }
            }
        }
    }
    Some(hashes)
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

fn short(hasher: &blake3::Hasher) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    u128::from_le_bytes(bytes)
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
