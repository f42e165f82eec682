//! Whether a request can be taken, before it is acknowledged: one walk that finds its spans, and what the weaver needs.

use bytes::Bytes;

use super::decode::count;
use super::limits::{Counts, Limits, Reason};
use super::native::{self, Native};
use super::rest::rest;
use super::span::{SpanReader, resource_attributes};
use super::unread::{Spot, Unread, place};
use super::value::{self, Loss};
use super::{Fault, Malformed, walk};
use crate::{Result, StoreError};

/// What a look at a request found.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The request without the spans that were refused: the very bytes if none was.
    pub request: Bytes,
    /// What was taken and what was not.
    pub counts: Counts,
    /// The spans that were taken.
    pub spans: Unread,
    /// The same for the weaver.
    pub native: Vec<Native>,
}

/// Checks each span of a request, and takes out those that are refused. A request that is no protobuf is an error.
pub fn check(request: &Bytes, limits: &Limits) -> Result<Checked> {
    let checked = look(request, limits)?;
    if checked.counts.refused() == 0 {
        return Ok(checked);
    }
    let rest = rest(request, checked.spans.spans())?.into();
    Ok(Checked { counts: checked.counts, ..look(&rest, limits)? })
}

/// Checks each span of a request. A span that breaks a rule is counted and not listed.
pub(super) fn look(request: &Bytes, limits: &Limits) -> Result<Checked> {
    if u32::try_from(request.len()).is_err() {
        return Err(StoreError::Limit(format!("{} bytes a request", u32::MAX)));
    }
    let spans = Unread::of(request, limits);
    let checked = Checked { request: request.clone(), counts: Counts::default(), spans, native: Vec::new() };
    let mut look = Look { request, limits, reader: SpanReader::that_only_checks(), found: checked };
    for group in walk::groups(request) {
        look.group(group?)?;
    }
    Ok(look.found)
}

struct Look<'a> {
    request: &'a Bytes,
    limits: &'a Limits,
    reader: SpanReader<'a>,
    found: Checked,
}

impl<'a> Look<'a> {
    fn group(&mut self, group: &'a [u8]) -> std::result::Result<(), Malformed> {
        let counts = &mut self.found.counts;
        match resource_attributes(walk::resources(group), self.limits, &mut self.reader, counts) {
            Ok(()) => {}
            Err(Fault::Malformed(malformed)) => return Err(malformed),
            Err(Fault::Refused(reason)) => {
                counts.add(reason, count(group)?);
                return Ok(());
            }
        }
        native::enter(&mut self.found.native, &self.reader);
        let resource = resource(self.request, group)?;
        for part in walk::scopes(group) {
            self.part(&resource, part?)?;
        }
        Ok(())
    }

    fn part(&mut self, resource: &Bytes, part: &'a [u8]) -> std::result::Result<(), Malformed> {
        let scope = scope_name(part, self.limits)?;
        let mut listed = None;
        for span in walk::spans(part) {
            let span = span?;
            match self.span(span, scope.is_some()) {
                Ok(()) => {
                    let spans = &mut self.found.spans;
                    let number = *listed.get_or_insert_with(|| spans.enter(resource, scope.unwrap_or_default()));
                    spans.push(Spot::new(self.request, span, number, &self.reader.row));
                    if let Some(native) = self.found.native.last_mut() {
                        native.see(&self.reader);
                    }
                }
                Err(Fault::Refused(reason)) => self.found.counts.add(reason, 1),
                Err(Fault::Malformed(malformed)) => return Err(malformed),
            }
        }
        Ok(())
    }

    fn span(&mut self, span: &'a [u8], named: bool) -> std::result::Result<(), Fault> {
        if self.found.counts.taken >= self.limits.spans as u64 {
            return Err(Fault::Refused(Reason::Spans));
        }
        if !named {
            return Err(Fault::Refused(Reason::Utf8));
        }
        self.reader.read(span, self.limits, &mut self.found.counts)
    }
}

/// The resource of a group as one message: sent in parts, it is their sequence, as protobuf has it.
fn resource(request: &Bytes, group: &[u8]) -> std::result::Result<Bytes, Malformed> {
    let mut all = Bytes::new();
    for part in walk::resources(group) {
        let part = part?;
        all = if all.is_empty() { request.slice(place(request, part)) } else { [&all, part].concat().into() };
    }
    Ok(all)
}

/// The scope's name; none if it is not UTF-8.
fn scope_name<'a>(part: &'a [u8], limits: &Limits) -> std::result::Result<Option<&'a str>, Malformed> {
    match value::short(walk::scope_name(part)?, limits, &mut Loss::default()) {
        Ok(name) => Ok(Some(name)),
        Err(Fault::Refused(_)) => Ok(None),
        Err(Fault::Malformed(malformed)) => Err(malformed),
    }
}
