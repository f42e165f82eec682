//! Rows of columns back into spans.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, DictionaryArray, FixedSizeBinaryArray, Int64Array, RecordBatch, StringArray};
use clew_model::{Attributes, Span, SpanEvent, SpanId, SpanKind, SpanLink, Status, StatusCode, Time, TraceId};

use super::maps::Maps;
use super::parse;
use super::schema::{kind_word, status_word};
use crate::{Result, StoreError};

/// The columns that a span is made of, each found once.
pub(super) struct Rows<'a> {
    trace_id: &'a FixedSizeBinaryArray,
    span_id: &'a FixedSizeBinaryArray,
    parent: &'a FixedSizeBinaryArray,
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
    resource: &'a DictionaryArray<Int32Type>,
    resource_texts: &'a StringArray,
    events: &'a StringArray,
    links: &'a StringArray,
    resources: Vec<Option<Arc<Attributes>>>,
    last_scope: Arc<str>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(batch: &'a RecordBatch) -> Result<Self> {
        let column =
            |name: &str| batch.column_by_name(name).ok_or_else(|| damaged(format!("column {name} is missing")));
        let text = |name| column(name)?.as_string_opt().ok_or_else(|| damaged(format!("column {name} is no text")));
        let id =
            |name| column(name)?.as_fixed_size_binary_opt().ok_or_else(|| damaged(format!("column {name} is no id")));
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
        let resource = column("resource")?.as_dictionary_opt::<Int32Type>();
        let resource = resource.ok_or_else(|| damaged("column resource is no dictionary".into()))?;
        let resource_texts = resource.values().as_string_opt();
        let resource_texts = resource_texts.ok_or_else(|| damaged("column resource is no text".into()))?;
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
            resource,
            resource_texts,
            events: text("events")?,
            links: text("links")?,
            resources: vec![None; resource_texts.len()],
            last_scope: Arc::from(""),
        })
    }

    /// The span of a row, which is there.
    pub(super) fn span(&mut self, row: usize) -> Result<Span> {
        let end = self.end.is_valid(row).then(|| Time::from_nanos(self.end.value(row)));
        Ok(Span {
            trace_id: TraceId::from_slice(self.trace_id.value(row)).unwrap_or(TraceId::INVALID),
            span_id: SpanId::from_slice(self.span_id.value(row)).unwrap_or(SpanId::INVALID),
            parent: if self.parent.is_valid(row) { SpanId::from_slice(self.parent.value(row)) } else { None },
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
            resource: self.resource(row)?,
            scope: self.scope(row),
        })
    }

    fn events(&self, row: usize) -> Result<Vec<SpanEvent>> {
        let text = text(self.events, row);
        if text.is_empty() { Ok(Vec::new()) } else { parse::events(text).map_err(|error| json(&error)) }
    }

    fn links(&self, row: usize) -> Result<Vec<SpanLink>> {
        let text = text(self.links, row);
        if text.is_empty() { Ok(Vec::new()) } else { parse::links(text).map_err(|error| json(&error)) }
    }

    fn resource(&mut self, row: usize) -> Result<Arc<Attributes>> {
        let place = self.resource.key(row).filter(|place| *place < self.resources.len());
        let place = place.ok_or_else(|| damaged(format!("row {row} has no resource")))?;
        if let Some(known) = &self.resources[place] {
            return Ok(Arc::clone(known));
        }
        let attributes = parse::attributes(self.resource_texts.value(place)).map_err(|error| json(&error))?;
        let shared = Arc::new(attributes);
        self.resources[place] = Some(Arc::clone(&shared));
        Ok(shared)
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

pub(super) fn json(error: &serde_json::Error) -> StoreError {
    damaged(error.to_string())
}

pub(super) fn damaged(reason: String) -> StoreError {
    StoreError::Damaged { file: "a batch of spans".into(), reason }
}
