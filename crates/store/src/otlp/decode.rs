//! Spans of requests into columns.

use bytes::Bytes;
use clew_model::{Attributes, Value};

use super::limits::{Counts, Limits};
use super::span::{SpanReader, resource_attributes};
use super::unread::{Spot, Unread};
use super::value::Any;
use super::{Fault, Malformed, walk};
use crate::columns::{Promoted, SpanBatch, SpanBatchBuilder, parse_value};
use crate::{Result, StoreError};

/// Keys under which a span says what was left out of it, as the semantic conventions name them.
const DROPPED: [&str; 3] = ["otel.dropped_attributes_count", "otel.dropped_events_count", "otel.dropped_links_count"];

/// Bytes that a text hardly has on average.
const AMPLE: usize = 48;

/// The spans of a request as a batch of their own.
pub fn decode(request: &[u8], limits: &Limits) -> Result<(SpanBatch, Counts)> {
    let (unread, counts) = Unread::new(&Bytes::copy_from_slice(request), limits)?;
    Ok((unread.read()?, counts))
}

impl Unread {
    /// All spans as columns.
    pub fn read(&self) -> Result<SpanBatch> {
        let mut columns = Columns::for_rows(self.spans().len());
        for span in self.spans() {
            columns.read(self, span)?;
        }
        columns.finish()
    }
}

/// Columns of spans that may be of several requests.
pub struct Columns<'a> {
    builder: SpanBatchBuilder,
    reader: SpanReader<'a>,
    /// The resource of the last span, as it lies.
    resource: Option<&'a [u8]>,
}

impl<'a> Columns<'a> {
    /// No rows, and room for about so many.
    pub fn for_rows(rows: usize) -> Self {
        Self::of(SpanBatchBuilder::for_rows(rows))
    }

    /// The same for rows that are not kept for long: there is so much room that it hardly grows.
    pub fn with_ample_room(rows: usize) -> Self {
        Self::of(SpanBatchBuilder::with_room(rows, AMPLE))
    }

    fn of(builder: SpanBatchBuilder) -> Self {
        Self { builder, reader: SpanReader::default(), resource: None }
    }

    /// Adds a span of a request.
    pub fn read(&mut self, request: &'a Unread, span: &Spot) -> Result<()> {
        let (bytes, resource, scope) = request.lies(span);
        // JSON may write one byte as six.
        self.builder.reserve((bytes.len() + resource.len()).saturating_mul(6))?;
        // Spans of one trace mostly follow each other in their request as well.
        let lies = resource.as_ptr_range();
        if self.resource.is_none_or(|last| last.as_ptr_range() != lies) {
            self.enter(resource, request.limits())?;
        }
        // What is left out was counted when the request was checked.
        self.reader.read(bytes, request.limits(), &mut Counts::default())?;
        self.reader.row.scope = scope;
        append(&mut self.builder, &self.reader);
        Ok(())
    }

    fn enter(&mut self, resource: &'a [u8], limits: &Limits) -> Result<()> {
        self.resource = Some(resource);
        if !self.builder.enter_known(resource) {
            resource_attributes(std::iter::once(Ok(resource)), limits, &mut self.reader, &mut Counts::default())?;
            self.builder.enter_resource(resource, &owned(&self.reader)?);
        }
        Ok(())
    }

    /// The rows.
    pub fn finish(mut self) -> Result<SpanBatch> {
        self.builder.finish()
    }
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

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Malformed(malformed) => malformed.into(),
            Fault::Refused(reason) => Self::Request(format!("a span was taken that has to be refused: {reason:?}")),
        }
    }
}
