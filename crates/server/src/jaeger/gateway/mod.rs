//! The third version of Jaeger's API over HTTP, as its gateway gives it.

mod handlers;
mod parameters;
mod refused;

pub(super) use handlers::{dependencies, operations, post_summaries, post_traces, services, summaries, trace, traces};
