//! A batch of spans while it grows.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, NullBufferBuilder};
use arrow_array::{ArrayRef, FixedSizeBinaryArray, RecordBatch};
use arrow_buffer::Buffer;
use arrow_schema::ArrowError;
use clew_model::{Attributes, SpanKind, StatusCode};

use super::attributes::AttributesBuilder;
use super::batch::SpanBatch;
use super::promote::Promoted;
use super::resources::Resources;
use super::schema::{kind_word, schema, status_word};
use super::text::TextBuilder;
use crate::{Result, StoreError};

/// A batch takes no more than about this: Arrow counts the bytes of a text column in 31 bits.
pub const MAX_BATCH_BYTES: usize = 1 << 30;

/// A span beside its attributes and resource.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row<'a> {
    /// The trace.
    pub trace_id: [u8; 16],
    /// The span.
    pub span_id: [u8; 8],
    /// Its parent.
    pub parent: Option<[u8; 8]>,
    /// The W3C tracestate.
    pub trace_state: &'a str,
    /// The flags.
    pub flags: u32,
    /// The name.
    pub name: &'a str,
    /// Which side of a call.
    pub kind: SpanKind,
    /// When it began, in nanoseconds.
    pub start: i64,
    /// When it ended.
    pub end: Option<i64>,
    /// How it ended.
    pub status: StatusCode,
    /// Why it failed.
    pub message: &'a str,
    /// The library that made it.
    pub scope: &'a str,
}

/// Builds a [`SpanBatch`] row by row, without an allocation for a row or an attribute.
pub struct SpanBatchBuilder {
    trace_ids: Vec<u8>,
    span_ids: Vec<u8>,
    parents: Vec<u8>,
    has_parent: NullBufferBuilder,
    numbers: [Int64Builder; 4],
    texts: [TextBuilder; 16],
    events: TextBuilder,
    links: TextBuilder,
    pub(super) resources: Resources,
    pub(crate) attributes: AttributesBuilder,
    pub(crate) scratch: String,
    rows: usize,
    bytes: usize,
}

/// What a row takes beside its texts.
const ROW: usize = 16 + 8 + 8 + 4 * 8 + 18 * 4;

/// For so many rows there is room at first, if nobody says how many there will be.
const ROOM: usize = 1024;

impl Default for SpanBatchBuilder {
    fn default() -> Self {
        Self::for_rows(ROOM)
    }
}

impl SpanBatchBuilder {
    /// A batch without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// A batch without rows, and with room for about so many: what is kept in memory in small pieces should not weigh what
    /// a thousand spans do. More rows fit all the same.
    pub fn for_rows(rows: usize) -> Self {
        Self::with_room(rows, 1)
    }

    /// The same, with room for texts of so many bytes.
    pub(crate) fn with_room(rows: usize, bytes: usize) -> Self {
        let text = || TextBuilder::with_room(rows, bytes);
        Self {
            trace_ids: Vec::new(),
            span_ids: Vec::new(),
            parents: Vec::new(),
            has_parent: NullBufferBuilder::new(0),
            numbers: std::array::from_fn(|_| Int64Builder::with_capacity(rows)),
            texts: std::array::from_fn(|_| text()),
            events: text(),
            links: text(),
            resources: Resources::default(),
            attributes: AttributesBuilder::with_room(rows, bytes),
            scratch: String::new(),
            rows: 0,
            bytes: 0,
        }
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Bytes that it takes, about: what a limit on memory goes by.
    pub fn bytes(&self) -> usize {
        self.bytes + self.attributes.bytes() + self.resources.bytes()
    }

    /// Refuses when there is no room for so many bytes more.
    pub(crate) fn reserve(&self, more: usize) -> Result<()> {
        if self.bytes().saturating_add(more) <= MAX_BATCH_BYTES {
            return Ok(());
        }
        let retry_after = std::time::Duration::from_secs(1);
        Err(StoreError::Full { what: "a batch of spans has all the bytes that one can have".into(), retry_after })
    }

    /// The rows that follow were made by this resource, if it is known by its encoded form.
    pub(crate) fn enter_known(&mut self, encoded: &[u8]) -> bool {
        self.resources.enter_known(encoded)
    }

    /// The rows that follow were made by this resource, which is known by its encoded form from now on.
    pub(crate) fn enter_resource(&mut self, encoded: &[u8], resource: &Attributes) {
        self.resources.enter_encoded(encoded, resource);
    }

    /// Ends a row, whose attributes were added before. Events and links are JSON lists, or empty.
    pub(crate) fn end_row<'a>(&mut self, row: &Row<'a>, mut seen: Promoted<'a>, events: &str, links: &str) {
        seen.complete(row.name);
        self.trace_ids.extend_from_slice(&row.trace_id);
        self.span_ids.extend_from_slice(&row.span_id);
        self.parents.extend_from_slice(&row.parent.unwrap_or_default());
        self.has_parent.append(row.parent.is_some());
        let duration = row.end.map(|end| end.saturating_sub(row.start).max(0));
        let numbers = [Some(row.start), row.end, duration, Some(i64::from(row.flags))];
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.append_option(number);
        }
        let texts = [
            Some(row.name),
            Some(kind_word(row.kind)),
            Some(status_word(row.status)),
            there(row.message),
            self.resources.service(),
            Some(row.scope),
            there(row.trace_state),
            seen.cluster.or(self.resources.cluster()),
            seen.namespace,
            seen.kind,
            seen.name,
            seen.uid,
            seen.node.or(self.resources.node()),
            seen.user,
            seen.agent,
            seen.verb,
        ];
        for (column, text) in self.texts.iter_mut().zip(texts) {
            self.bytes += text.map_or(0, str::len);
            column.append(text);
        }
        self.events.append(there(events));
        self.links.append(there(links));
        self.resources.end_row();
        self.attributes.end_row();
        self.rows += 1;
        self.bytes += ROW + events.len() + links.len();
    }

    /// The batch; the builder is empty afterwards and can be used again.
    pub fn finish(&mut self) -> Result<SpanBatch> {
        let batch = std::mem::replace(self, Self::for_rows(0)).columns().map_err(|error| damaged(&error))?;
        SpanBatch::try_new(batch)
    }

    fn columns(mut self) -> std::result::Result<RecordBatch, ArrowError> {
        let fixed = |size, bytes: Vec<u8>, nulls| -> std::result::Result<ArrayRef, ArrowError> {
            Ok(Arc::new(FixedSizeBinaryArray::try_new(size, Buffer::from_vec(bytes), nulls)?))
        };
        let [start, end, duration, flags] = self.numbers.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let texts = self.texts.map(TextBuilder::finish);
        let (described, promoted) = texts.split_at(7);
        let mut columns = vec![
            fixed(16, self.trace_ids, None)?,
            fixed(8, self.span_ids, None)?,
            fixed(8, self.parents, self.has_parent.finish())?,
            start,
            end,
            duration,
        ];
        columns.extend(described.iter().map(Arc::clone));
        columns.push(flags);
        columns.extend(promoted.iter().map(Arc::clone));
        columns.extend(self.attributes.finish()?);
        columns.push(self.resources.finish()?);
        columns.push(self.events.finish());
        columns.push(self.links.finish());
        RecordBatch::try_new(schema(), columns)
    }
}

fn there(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn damaged(error: &ArrowError) -> StoreError {
    StoreError::Damaged { file: "a batch of spans".into(), reason: error.to_string() }
}
