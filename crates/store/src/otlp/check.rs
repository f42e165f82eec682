//! Whether a request can be taken, before it is acknowledged.

use bytes::Bytes;

use super::decode::{count, scope_name};
use super::limits::{Counts, Limits, Reason};
use super::span::{SpanReader, resource_attributes};
use super::wire::{put_bytes, raw_fields};
use super::{Fault, Malformed, walk};

/// What a look at a request found.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The request without the spans that were refused: the very bytes if none was.
    pub request: Bytes,
    /// What was taken and what was not.
    pub counts: Counts,
}

/// Checks each span of a request as [`super::decode`] does, and takes out those that are refused.
pub fn check(request: Bytes, limits: &Limits) -> crate::Result<Checked> {
    let mut judge = Judge { limits, counts: Counts::default(), reader: SpanReader::default() };
    judge.request(&request, &mut ())?;
    let counts = judge.counts;
    if counts.refused() == 0 {
        return Ok(Checked { request, counts });
    }
    let mut judge = Judge { limits, counts: Counts::default(), reader: SpanReader::default() };
    let mut rest = Vec::with_capacity(request.len());
    judge.request(&request, &mut rest)?;
    Ok(Checked { request: rest.into(), counts })
}

struct Judge<'a, 'l> {
    limits: &'l Limits,
    counts: Counts,
    reader: SpanReader<'a>,
}

/// Where what is kept goes: nowhere on the first look, into a new request on the second.
trait Keep {
    type Inner: Keep;
    fn inner(&self) -> Self::Inner;
    fn raw(&mut self, field: &[u8]);
    fn message(&mut self, number: u8, inner: &Self::Inner);
}

impl Keep for () {
    type Inner = ();
    fn inner(&self) {}
    fn raw(&mut self, _: &[u8]) {}
    fn message(&mut self, _: u8, (): &()) {}
}

impl Keep for Vec<u8> {
    type Inner = Vec<u8>;
    fn inner(&self) -> Vec<u8> {
        Vec::new()
    }
    fn raw(&mut self, field: &[u8]) {
        self.extend_from_slice(field);
    }
    fn message(&mut self, number: u8, inner: &Vec<u8>) {
        put_bytes(self, number, inner);
    }
}

impl<'a> Judge<'a, '_> {
    fn request<K: Keep>(&mut self, request: &'a [u8], out: &mut K) -> Result<(), Malformed> {
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
            let mut kept = out.inner();
            self.group(group, &mut kept)?;
            out.message(1, &kept);
        }
        Ok(())
    }

    fn group<K: Keep>(&mut self, group: &'a [u8], out: &mut K) -> Result<(), Malformed> {
        for field in raw_fields(group) {
            let (field, raw) = field?;
            if field.number == 2 {
                let mut kept = out.inner();
                self.part(field.bytes()?, &mut kept)?;
                out.message(2, &kept);
            } else {
                out.raw(raw);
            }
        }
        Ok(())
    }

    fn part<K: Keep>(&mut self, part: &'a [u8], out: &mut K) -> Result<(), Malformed> {
        let named = scope_name(part, self.limits)?.is_some();
        for field in raw_fields(part) {
            let (field, raw) = field?;
            if field.number != 2 {
                if named {
                    out.raw(raw);
                }
                continue;
            }
            match self.span(field.bytes()?, named) {
                Ok(()) => out.raw(raw),
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
