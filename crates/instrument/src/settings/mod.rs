//! Settings from the environment: every `OTEL_*` variable that applies to traces, and the component's own.

mod environment;
mod from_env;
mod resource;

pub use environment::Environment;
pub(crate) use environment::invalid;

pub(crate) use from_env::{batching, limits, metrics_interval, propagators, sampler};
pub(crate) use resource::{percent_decode, resource};
