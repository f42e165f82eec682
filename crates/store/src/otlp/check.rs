//! Whether a request can be taken, before it is acknowledged.

use bytes::Bytes;

use super::decode::count;
use super::limits::{Counts, Limits, Reason};
use super::span::{SpanReader, resource_attributes};
use super::unread::{Unread, scope_name};
use super::wire::{put_bytes, raw_fields};
use super::{Fault, Malformed, walk};

/// What a look at a request found.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The request without the spans that were refused: the very bytes if none was.
    pub request: Bytes,
    /// What was taken and what was not.
    pub counts: Counts,
    /// Its spans, unless some were taken out.
    pub spans: Option<Unread>,
}

/// Checks each span of a request, and takes out those that are refused.
pub fn check(request: Bytes, limits: &Limits) -> crate::Result<Checked> {
    let (spans, counts) = Unread::new(&request, limits)?;
    if counts.refused() == 0 {
        return Ok(Checked { request, counts, spans: Some(spans) });
    }
    let mut judge = Judge { limits, counts: Counts::default(), reader: SpanReader::that_only_checks() };
    let mut rest = Vec::with_capacity(request.len());
    judge.request(&request, &mut rest)?;
    Ok(Checked { request: rest.into(), counts, spans: None })
}

struct Judge<'a, 'l> {
    limits: &'l Limits,
    counts: Counts,
    reader: SpanReader<'a>,
}

impl<'a> Judge<'a, '_> {
    fn request(&mut self, request: &'a [u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        for group in walk::groups(request) {
            let group = group?;
            match resource_attributes(walk::resources(group), self.limits, &mut self.reader, &mut self.counts) {
                Ok(()) => {}
                Err(Fault::Malformed(malformed)) => return Err(malformed),
                Err(Fault::Refused(reason)) => {
                    self.counts.add(reason, count(group)?);
                    continue;
                }
            }
            let mut kept = Vec::new();
            self.group(group, &mut kept)?;
            put_bytes(out, 1, &kept);
        }
        Ok(())
    }

    fn group(&mut self, group: &'a [u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        for field in raw_fields(group) {
            let (field, raw) = field?;
            if field.number == 2 {
                let mut kept = Vec::new();
                self.part(field.bytes()?, &mut kept)?;
                put_bytes(out, 2, &kept);
            } else {
                out.extend_from_slice(raw);
            }
        }
        Ok(())
    }

    fn part(&mut self, part: &'a [u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        let named = scope_name(part, self.limits)?.is_some();
        for field in raw_fields(part) {
            let (field, raw) = field?;
            if field.number != 2 {
                if named {
                    out.extend_from_slice(raw);
                }
                continue;
            }
            match self.span(field.bytes()?, named) {
                Ok(()) => out.extend_from_slice(raw),
                Err(Fault::Refused(reason)) => self.counts.add(reason, 1),
                Err(Fault::Malformed(malformed)) => return Err(malformed),
            }
        }
        Ok(())
    }

    fn span(&mut self, span: &'a [u8], named: bool) -> Result<(), Fault> {
        if self.counts.taken >= self.limits.spans as u64 {
            return Err(Fault::Refused(Reason::Spans));
        }
        if !named {
            return Err(Fault::Refused(Reason::Utf8));
        }
        self.reader.read(span, self.limits, &mut self.counts)
    }
}
