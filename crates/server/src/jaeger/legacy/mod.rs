//! The API that Jaeger's page and Grafana's Jaeger datasource call.

mod answer;
mod handlers;
mod parameters;
mod ui;
mod write;

pub(crate) use handlers::trace;
pub(super) use handlers::{dependencies, operation_names, operations, search, services};
