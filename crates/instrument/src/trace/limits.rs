//! How much one span may hold.

/// The bounds of a span, by OpenTelemetry's names and defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most attributes of a span (`OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT`).
    pub attributes: usize,
    /// The longest text of an attribute, in characters (`OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT`).
    pub value_length: usize,
    /// The most events of a span (`OTEL_SPAN_EVENT_COUNT_LIMIT`).
    pub events: usize,
    /// The most links of a span (`OTEL_SPAN_LINK_COUNT_LIMIT`).
    pub links: usize,
    /// The most attributes of an event (`OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT`).
    pub event_attributes: usize,
    /// The most attributes of a link (`OTEL_LINK_ATTRIBUTE_COUNT_LIMIT`).
    pub link_attributes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            attributes: 128,
            // OpenTelemetry's default is none; a bound keeps a full queue's memory bounded.
            value_length: 32 * 1024,
            events: 128,
            links: 128,
            event_attributes: 128,
            link_attributes: 128,
        }
    }
}
