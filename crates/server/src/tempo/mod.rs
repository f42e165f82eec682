//! Tempo's API, as Grafana's datasource calls it.

mod about;
mod asked_query;
mod attribute;
mod buckets;
mod metrics;
mod numbers;
mod paths;
mod query_trace;
mod search;
mod series;
mod tag_values;
mod tags;
mod wording;

pub(crate) use paths::{own_paths, paths};
pub(crate) use query_trace::{trace_v1, wants_protobuf};
