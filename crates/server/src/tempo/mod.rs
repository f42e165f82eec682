//! Tempo's API, as Grafana's datasource calls it.

mod about;
mod attribute;
mod buckets;
mod legacy;
mod metrics;
mod numbers;
mod paths;
mod query_trace;
mod search;
mod series;
mod tag_values;
mod tags;

pub(crate) use paths::{own_paths, router};
pub(crate) use query_trace::{trace_v1, wants_protobuf};
