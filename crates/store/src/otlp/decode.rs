//! A request into columns.

use clew_model::{Attributes, Value};

use super::limits::{Counts, Limits, Reason};
use super::span::{SpanReader, resource_attributes};
use super::value::{self, Any, Loss};
use super::{Fault, Malformed, walk};
use crate::columns::{Promoted, SpanBatch, SpanBatchBuilder, parse_value};
use crate::{Result, StoreError};

/// Keys under which a span says what was left out of it, as the semantic conventions name them.
const DROPPED: [&str; 3] = ["otel.dropped_attributes_count", "otel.dropped_events_count", "otel.dropped_links_count"];

/// What a span takes on the wire, at least about.
const SPAN: usize = 128;
/// For more spans, the batch grows as they come.
const ROOM: usize = 1024;

/// The spans of a request as a batch of their own.
pub fn decode(request: &[u8], limits: &Limits) -> Result<(SpanBatch, Counts)> {
    let mut builder = SpanBatchBuilder::for_rows((request.len() / SPAN).clamp(1, ROOM));
    let counts = decode_into(&mut builder, request, limits)?;
    Ok((builder.finish()?, counts))
}

/// Adds the spans of a request to a batch. A request that is no protobuf adds the spans before the fault, and is an error.
pub fn decode_into(builder: &mut SpanBatchBuilder, request: &[u8], limits: &Limits) -> Result<Counts> {
    // JSON may write one byte as six.
    builder.reserve(request.len().saturating_mul(6))?;
    let mut counts = Counts::default();
    let mut reader = SpanReader::default();
    let mut last: Option<&[u8]> = None;
    for group in walk::groups(request) {
        let group = group?;
        let mut found = walk::resources(group);
        let first = found.next().transpose()?.unwrap_or_default();
        let alone = found.next().is_none();
        if !alone || last != Some(first) {
            if enter(builder, group, limits, &mut reader, &mut counts)?.is_none() {
                last = None;
                continue;
            }
            last = alone.then_some(first);
        }
        for part in walk::scopes(group) {
            scope(builder, part?, limits, &mut reader, &mut counts)?;
        }
    }
    Ok(counts)
}

/// Makes the group's resource the current one; none if it breaks a rule, and all its spans with it.
fn enter<'a>(
    builder: &mut SpanBatchBuilder,
    group: &'a [u8],
    limits: &Limits,
    reader: &mut SpanReader<'a>,
    counts: &mut Counts,
) -> Result<Option<()>> {
    match resource_attributes(walk::resources(group), limits, reader, counts) {
        Ok(()) => {}
        Err(Fault::Malformed(malformed)) => return Err(malformed.into()),
        Err(Fault::Refused(reason)) => {
            counts.add(reason, count(group)?);
            return Ok(None);
        }
    }
    builder.enter_resource(&owned(reader)?);
    Ok(Some(()))
}

/// How many spans a group has.
pub(super) fn count(group: &[u8]) -> std::result::Result<u64, Malformed> {
    let mut spans = 0;
    for part in walk::scopes(group) {
        for span in walk::spans(part?) {
            span?;
            spans += 1;
        }
    }
    Ok(spans)
}

fn owned(reader: &SpanReader<'_>) -> Result<Attributes> {
    let attributes = reader.attributes.iter().map(|(key, any)| {
        let value = match any {
            Any::Str(text) => Value::from(*text),
            Any::Bool(yes) => Value::Bool(*yes),
            Any::Int(number) => Value::Int(*number),
            Any::Double(number) => Value::Double(*number),
            Any::Json(range) => parse_value(&reader.nested[range.clone()])?,
        };
        Ok(((*key).into(), value))
    });
    attributes.collect()
}

fn scope<'a>(
    builder: &mut SpanBatchBuilder,
    part: &'a [u8],
    limits: &Limits,
    reader: &mut SpanReader<'a>,
    counts: &mut Counts,
) -> Result<()> {
    let name = scope_name(part, limits)?;
    builder.enter_scope(name.unwrap_or_default());
    for span in walk::spans(part) {
        if counts.taken >= limits.spans as u64 {
            span?;
            counts.add(Reason::Spans, 1);
            continue;
        }
        let read = if name.is_some() { reader.read(span?, limits, counts) } else { Err(Fault::Refused(Reason::Utf8)) };
        match read {
            Ok(()) => append(builder, reader),
            Err(Fault::Refused(reason)) => counts.add(reason, 1),
            Err(Fault::Malformed(malformed)) => return Err(malformed.into()),
        }
    }
    Ok(())
}

/// The scope's name; none if it is not UTF-8.
pub(super) fn scope_name<'a>(part: &'a [u8], limits: &Limits) -> std::result::Result<Option<&'a str>, Malformed> {
    match value::short(walk::scope_name(part)?, limits, &mut Loss::default()) {
        Ok(name) => Ok(Some(name)),
        Err(Fault::Refused(_)) => Ok(None),
        Err(Fault::Malformed(malformed)) => Err(malformed),
    }
}

fn append(builder: &mut SpanBatchBuilder, reader: &SpanReader<'_>) {
    let columns = &mut builder.attributes;
    let mut promoted = Promoted::default();
    for (key, any) in &reader.attributes {
        match any {
            Any::Str(text) => {
                columns.string(key, text);
                promoted.see(key, text);
            }
            Any::Bool(yes) => columns.bool(key, *yes),
            Any::Int(number) => columns.int(key, *number),
            Any::Double(number) => columns.double(key, *number),
            Any::Json(range) => columns.json(key, &reader.nested[range.clone()]),
        }
    }
    for (key, dropped) in DROPPED.into_iter().zip(reader.dropped).filter(|(_, dropped)| *dropped > 0) {
        columns.int(key, i64::try_from(dropped).unwrap_or(i64::MAX));
    }
    builder.end_row(&reader.row, promoted, &reader.events, &reader.links);
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Request(error.to_string())
    }
}
