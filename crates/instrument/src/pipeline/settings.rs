//! How spans are gathered and how often a refused batch is tried again.

use std::time::Duration;

/// How ended spans become batches; the defaults are OpenTelemetry's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    /// The most spans that wait (`OTEL_BSP_MAX_QUEUE_SIZE`); what comes on top is dropped and counted.
    pub queue: usize,
    /// The most spans of one export (`OTEL_BSP_MAX_EXPORT_BATCH_SIZE`).
    pub batch: usize,
    /// The longest time that a span waits for others (`OTEL_BSP_SCHEDULE_DELAY`).
    pub delay: Duration,
    /// The longest time that one attempt takes (`OTEL_BSP_EXPORT_TIMEOUT`).
    pub timeout: Duration,
}

impl Default for Batching {
    fn default() -> Self {
        Self { queue: 2048, batch: 512, delay: Duration::from_secs(5), timeout: Duration::from_secs(10) }
    }
}

/// How often a batch is tried again, by OTLP's rules: growing pauses with jitter, or the pause that the collector asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retrying {
    /// The first pause.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// How long a batch is tried in all; then it is spooled or dropped.
    pub give_up: Duration,
}

impl Default for Retrying {
    fn default() -> Self {
        Self { first: Duration::from_millis(500), longest: Duration::from_secs(10), give_up: Duration::from_mins(1) }
    }
}
