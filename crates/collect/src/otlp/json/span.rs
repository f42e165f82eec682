//! Spans with their events, links and status, the fields in the order of their numbers.

use opentelemetry_proto::tonic::trace::v1::span::{Event, Link};
use opentelemetry_proto::tonic::trace::v1::{Span, Status};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::view::{Fields, View};

impl Serialize for View<'_, Span> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let span = self.0;
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.id("traceId", &span.trace_id)?;
        fields.id("spanId", &span.span_id)?;
        fields.text("traceState", &span.trace_state)?;
        fields.id("parentSpanId", &span.parent_span_id)?;
        fields.text("name", &span.name)?;
        fields.number("kind", span.kind)?;
        fields.time("startTimeUnixNano", span.start_time_unix_nano)?;
        fields.time("endTimeUnixNano", span.end_time_unix_nano)?;
        fields.list("attributes", &span.attributes)?;
        fields.number("droppedAttributesCount", span.dropped_attributes_count)?;
        fields.list("events", &span.events)?;
        fields.number("droppedEventsCount", span.dropped_events_count)?;
        fields.list("links", &span.links)?;
        fields.number("droppedLinksCount", span.dropped_links_count)?;
        fields.message("status", span.status.as_ref())?;
        fields.number("flags", span.flags)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, Event> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.time("timeUnixNano", self.0.time_unix_nano)?;
        fields.text("name", &self.0.name)?;
        fields.list("attributes", &self.0.attributes)?;
        fields.number("droppedAttributesCount", self.0.dropped_attributes_count)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, Link> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.id("traceId", &self.0.trace_id)?;
        fields.id("spanId", &self.0.span_id)?;
        fields.text("traceState", &self.0.trace_state)?;
        fields.list("attributes", &self.0.attributes)?;
        fields.number("droppedAttributesCount", self.0.dropped_attributes_count)?;
        fields.number("flags", self.0.flags)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, Status> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.text("message", &self.0.message)?;
        fields.number("code", self.0.code)?;
        fields.0.end()
    }
}
