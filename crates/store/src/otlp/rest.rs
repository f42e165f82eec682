//! A request without the spans that were refused.

use super::unread::{Spot, place};
use super::wire::{put_bytes, raw_fields};
use super::{Malformed, walk};

/// The request with the spans that are listed, in their order, and without what holds none of them.
pub(super) fn rest(request: &[u8], listed: &[Spot]) -> Result<Vec<u8>, Malformed> {
    let mut rest = Rest { request, listed: listed.iter() };
    let mut out = Vec::with_capacity(request.len());
    for group in walk::groups(request) {
        if let Some(kept) = rest.group(group?)? {
            put_bytes(&mut out, 1, &kept);
        }
    }
    Ok(out)
}

struct Rest<'a> {
    request: &'a [u8],
    /// Those that did not come yet.
    listed: std::slice::Iter<'a, Spot>,
}

impl Rest<'_> {
    fn group(&mut self, group: &[u8]) -> Result<Option<Vec<u8>>, Malformed> {
        let (mut kept, before) = (Vec::new(), self.listed.len());
        for field in raw_fields(group) {
            let (field, raw) = field?;
            if field.number != 2 {
                kept.extend_from_slice(raw);
            } else if let Some(part) = self.part(field.bytes()?)? {
                put_bytes(&mut kept, 2, &part);
            }
        }
        Ok((self.listed.len() < before).then_some(kept))
    }

    fn part(&mut self, part: &[u8]) -> Result<Option<Vec<u8>>, Malformed> {
        let (mut kept, before) = (Vec::new(), self.listed.len());
        for field in raw_fields(part) {
            let (field, raw) = field?;
            if field.number != 2 || self.is_next(field.bytes()?) {
                kept.extend_from_slice(raw);
            }
        }
        Ok((self.listed.len() < before).then_some(kept))
    }

    fn is_next(&mut self, span: &[u8]) -> bool {
        let lies = place(self.request, span);
        let found = self.listed.as_slice().first().is_some_and(|next| next.lies() == lies);
        if found {
            self.listed.next();
        }
        found
    }
}
