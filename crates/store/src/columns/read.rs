//! Rows of columns back into spans.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, Int64Array, RecordBatch, StringArray};
use clew_model::{Span, SpanEvent, SpanId, SpanKind, SpanLink, Status, StatusCode, Time};

use super::maps::Maps;
use super::parse;
use super::schema::{kind_word, status_word};
use super::stored::{Ids, Resources};
use crate::{Result, StoreError};

/// The names of the columns that a span is made of; the others are for searching.
pub(crate) const MADE_OF: [&str; 21] = [
    "trace_id",
    "span_id",
    "parent_span_id",
    "start_unix_nano",
    "end_unix_nano",
    "name",
    "kind",
    "status",
    "status_message",
    "scope",
    "trace_state",
    "flags",
    "attributes_string",
    "attributes_int",
    "attributes_double",
    "attributes_bool",
    "attributes_json",
    "attributes_order",
    "resource",
    "events",
    "links",
];

/// The spans of rows, of memory or of a table, that have these columns.
pub(crate) fn read(rows: &RecordBatch) -> Result<Vec<Span>> {
    let mut reader = Rows::new(rows)?;
    // Told how many there are, a list is not moved as it grows.
    let mut spans = Vec::with_capacity(rows.num_rows());
    for row in 0..rows.num_rows() {
        spans.push(reader.span(row)?);
    }
    Ok(spans)
}

/// The columns that a span is made of, each found once.
pub(super) struct Rows<'a> {
    trace_id: Ids<'a>,
    span_id: Ids<'a>,
    parent: Ids<'a>,
    start: &'a Int64Array,
    end: &'a Int64Array,
    flags: &'a Int64Array,
    name: &'a StringArray,
    kind: &'a StringArray,
    status: &'a StringArray,
    message: &'a StringArray,
    scope: &'a StringArray,
    trace_state: &'a StringArray,
    attributes: Maps<'a>,
    resources: Resources<'a>,
    events: &'a StringArray,
    links: &'a StringArray,
    last_scope: Arc<str>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(batch: &'a RecordBatch) -> Result<Self> {
        let column =
            |name: &str| batch.column_by_name(name).ok_or_else(|| damaged(format!("column {name} is missing")));
        let text = |name| column(name)?.as_string_opt().ok_or_else(|| damaged(format!("column {name} is no text")));
        let id = |name| Ids::of(column(name)?).ok_or_else(|| damaged(format!("column {name} is no id")));
        let number = |name| {
            let found = column(name)?.as_primitive_opt::<Int64Type>();
            found.ok_or_else(|| damaged(format!("column {name} is no number")))
        };
        let map = |name| column(name)?.as_map_opt().ok_or_else(|| damaged(format!("column {name} is no map")));
        let maps = [
            map("attributes_string")?,
            map("attributes_int")?,
            map("attributes_double")?,
            map("attributes_bool")?,
            map("attributes_json")?,
        ];
        let resources = Resources::of(column("resource")?);
        Ok(Self {
            trace_id: id("trace_id")?,
            span_id: id("span_id")?,
            parent: id("parent_span_id")?,
            start: number("start_unix_nano")?,
            end: number("end_unix_nano")?,
            flags: number("flags")?,
            name: text("name")?,
            kind: text("kind")?,
            status: text("status")?,
            message: text("status_message")?,
            scope: text("scope")?,
            trace_state: text("trace_state")?,
            attributes: Maps::new(maps, text("attributes_order")?)?,
            resources: resources.ok_or_else(|| damaged("column resource is no text".into()))?,
            events: text("events")?,
            links: text("links")?,
            last_scope: Arc::from(""),
        })
    }

    /// The span of a row, which is there.
    pub(super) fn span(&mut self, row: usize) -> Result<Span> {
        let end = self.end.is_valid(row).then(|| Time::from_nanos(self.end.value(row)));
        Ok(Span {
            trace_id: self.trace_id.trace(row)?,
            span_id: self.span_id.span(row)?.unwrap_or(SpanId::INVALID),
            parent: self.parent.span(row)?,
            trace_state: text(self.trace_state, row).into(),
            flags: u32::try_from(self.flags.value(row)).unwrap_or_default(),
            name: text(self.name, row).into(),
            kind: kind(text(self.kind, row)),
            start: Time::from_nanos(self.start.value(row)),
            end,
            status: Status { code: code(text(self.status, row)), message: text(self.message, row).into() },
            attributes: self.attributes.of(row)?,
            events: self.events(row)?,
            links: self.links(row)?,
            resource: self.resources.at(row)?,
            scope: self.scope(row),
        })
    }

    fn events(&self, row: usize) -> Result<Vec<SpanEvent>> {
        let text = text(self.events, row);
        if text.is_empty() { Ok(Vec::new()) } else { parse::events(text) }
    }

    fn links(&self, row: usize) -> Result<Vec<SpanLink>> {
        let text = text(self.links, row);
        if text.is_empty() { Ok(Vec::new()) } else { parse::links(text) }
    }

    fn scope(&mut self, row: usize) -> Arc<str> {
        let name = text(self.scope, row);
        if *self.last_scope != *name {
            self.last_scope = name.into();
        }
        Arc::clone(&self.last_scope)
    }
}

pub(super) fn text(column: &StringArray, row: usize) -> &str {
    if column.is_valid(row) { column.value(row) } else { "" }
}

fn kind(word: &str) -> SpanKind {
    (0..=5).map(SpanKind::from_otlp).find(|kind| kind_word(*kind) == word).unwrap_or_default()
}

fn code(word: &str) -> StatusCode {
    (0..=2).map(StatusCode::from_otlp).find(|code| status_word(*code) == word).unwrap_or_default()
}

pub(super) fn damaged(reason: String) -> StoreError {
    StoreError::Damaged { file: "a batch of spans".into(), reason }
}
