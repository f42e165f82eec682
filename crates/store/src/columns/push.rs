//! Spans of the model into columns: those that clew made.

use clew_model::{MAX_DEPTH, Span, Value};

use super::builder::{Row, SpanBatchBuilder};
use super::json;
use super::promote::Promoted;
use crate::Result;

impl SpanBatchBuilder {
    /// Adds a span; refused when the batch is full.
    pub fn push(&mut self, span: &Span) -> Result<()> {
        self.reserve(0)?;
        self.resources.enter(&span.resource);
        let mut scratch = std::mem::take(&mut self.scratch);
        for (key, value) in &span.attributes {
            match value {
                Value::Str(text) => self.attributes.string(key, text),
                Value::Int(number) => self.attributes.int(key, *number),
                Value::Double(number) => self.attributes.double(key, *number),
                Value::Bool(yes) => self.attributes.bool(key, *yes),
                Value::Bytes(_) | Value::Array(_) | Value::Map(_) => {
                    scratch.clear();
                    json::value(&mut scratch, value, MAX_DEPTH);
                    self.attributes.json(key, &scratch);
                }
            }
        }
        scratch.clear();
        if !span.events.is_empty() {
            json::events(&mut scratch, &span.events);
        }
        let events = scratch.len();
        if !span.links.is_empty() {
            json::links(&mut scratch, &span.links);
        }
        let (events, links) = scratch.split_at(events);
        self.end_row(&row(span), Promoted::of(&span.attributes), events, links);
        self.scratch = scratch;
        Ok(())
    }
}

fn row(span: &Span) -> Row<'_> {
    Row {
        trace_id: span.trace_id.to_bytes(),
        span_id: span.span_id.to_bytes(),
        parent: span.parent.map(clew_model::SpanId::to_bytes),
        trace_state: &span.trace_state,
        flags: span.flags,
        name: &span.name,
        kind: span.kind,
        start: span.start.as_nanos(),
        end: span.end.map(clew_model::Time::as_nanos),
        status: span.status.code,
        message: &span.status.message,
        scope: &span.scope,
    }
}
