//! What tracing says about itself: OpenTelemetry's SDK metrics by their names, in Prometheus' text and as OTLP.

mod durations;
mod families;
mod prometheus;
mod slo;
mod snapshot;

pub use slo::Slo;
pub use snapshot::Snapshot;

pub(crate) use durations::{BOUNDS, Durations};
pub(crate) use families::{Family, FamilyKind, Number, Point};
