//! What the weaver needs of the spans of a request, and nothing else.

use clew_model::{SpanId, Time, TraceId};
use clew_weave::fact::{NativeSpan, Uid};
use compact_str::CompactString;

use super::value::key_value;
use super::wire::{Fields, Wire, short_text};
use super::{Malformed, walk};

/// The attribute of a resource that says where it is.
const CLUSTER: &str = "k8s.cluster.name";

/// Gives each span of a request that was checked, reduced to what places it, with the cluster that its resource names.
pub fn native(request: &[u8], mut each: impl FnMut(Option<&str>, NativeSpan)) -> crate::Result<()> {
    for group in walk::groups(request) {
        let group = group?;
        let cluster = cluster(group)?;
        for part in walk::scopes(group) {
            for span in walk::spans(part?) {
                if let Some(span) = place(span?)? {
                    each(cluster, span);
                }
            }
        }
    }
    Ok(())
}

fn cluster(group: &[u8]) -> Result<Option<&str>, Malformed> {
    let mut cluster = None;
    for resource in walk::resources(group) {
        for attribute in walk::messages(resource?, 1) {
            let (key, value) = key_value(attribute?)?;
            if key == CLUSTER.as_bytes() {
                cluster = text(value)?.filter(|name| !name.is_empty());
            }
        }
    }
    Ok(cluster)
}

/// A text with the rank of the key that it was found under.
type Found<'a> = Option<(usize, &'a str)>;

#[derive(Default)]
struct Places<'a> {
    audit: Found<'a>,
    pod: Found<'a>,
    runtime: Found<'a>,
    review: Found<'a>,
}

fn place(span: &[u8]) -> Result<Option<NativeSpan>, Malformed> {
    let (mut trace, mut id, mut parent) = (None, None, None);
    let (mut start, mut end) = (Time::UNIX_EPOCH, Time::UNIX_EPOCH);
    let mut places = Places::default();
    let mut links = smallvec::SmallVec::new();
    for field in Fields::new(span) {
        let field = field?;
        match (field.number, field.wire) {
            (1, Wire::Bytes(bytes)) => trace = TraceId::from_slice(bytes).filter(|id| id.is_valid()),
            (2, Wire::Bytes(bytes)) => id = SpanId::from_slice(bytes).filter(|id| id.is_valid()),
            (4, Wire::Bytes(bytes)) => parent = SpanId::from_slice(bytes).filter(|id| id.is_valid()),
            (7, Wire::Fixed64(nanos)) => start = Time::from_unsigned_nanos(nanos),
            (8, Wire::Fixed64(nanos)) => end = Time::from_unsigned_nanos(nanos),
            (9, Wire::Bytes(pair)) => places.see(pair)?,
            (13, Wire::Bytes(link)) => links.extend(linked(link)?),
            _ => {}
        }
    }
    let (Some(trace), Some(span)) = (trace, id) else {
        return Ok(None);
    };
    let uid = |found: Found<'_>| found.map(|(_, text)| Uid::new(text));
    Ok(Some(NativeSpan {
        trace,
        span,
        parent,
        start,
        end: if end == Time::UNIX_EPOCH { start } else { end },
        audit: uid(places.audit),
        pod: uid(places.pod),
        runtime: places.runtime.map(|(_, text)| CompactString::from(text)),
        review: uid(places.review),
        links,
    }))
}

/// The trace of a link, unless the link has no ids and is left out.
fn linked(link: &[u8]) -> Result<Option<TraceId>, Malformed> {
    let (mut trace, mut span) = (None, None);
    for field in Fields::new(link) {
        let field = field?;
        match field.number {
            1 => trace = TraceId::from_slice(field.bytes()?),
            2 => span = SpanId::from_slice(field.bytes()?),
            _ => {}
        }
    }
    Ok(trace.filter(|_| span.is_some()))
}

impl<'a> Places<'a> {
    fn see(&mut self, pair: &'a [u8]) -> Result<(), Malformed> {
        let (key, value) = key_value(pair)?;
        // The attributes that place a span, and which is the stronger where several do.
        let (rank, found) = match key {
            b"audit-id" => (0, &mut self.audit),
            b"audit.id" => (1, &mut self.audit),
            b"k8s.pod.uid" => (0, &mut self.pod),
            b"container.id" => (0, &mut self.runtime),
            b"sandbox.id" => (1, &mut self.runtime),
            b"pod.sandbox.id" => (2, &mut self.runtime),
            b"k8s.admission.review.uid" => (0, &mut self.review),
            _ => return Ok(()),
        };
        if found.is_none_or(|(old, _)| rank < old)
            && let Some(text) = text(value)?
        {
            *found = Some((rank, text));
        }
        Ok(())
    }
}

/// The text of a value, if it is one.
fn text(value: &[u8]) -> Result<Option<&str>, Malformed> {
    if let Some(text) = short_text(value) {
        return Ok(std::str::from_utf8(text).ok());
    }
    let mut text = None;
    for field in Fields::new(value) {
        let field = field?;
        text = match (field.number, field.wire) {
            (1, Wire::Bytes(bytes)) => std::str::from_utf8(bytes).ok(),
            (2..=8, _) => None,
            _ => text,
        };
    }
    Ok(text)
}
