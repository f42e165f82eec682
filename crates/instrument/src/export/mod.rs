//! Exporters: who takes batches of ended spans, behind a registry of names.

mod console;
mod exporter;
mod gcp;
mod gcp_token;
mod http_client;
mod lines;
mod otlp_grpc;
mod otlp_http;
mod otlp_settings;
mod presets;
mod registry;
mod zipkin;

pub use exporter::{Batch, ExportError, ExportFuture, Exported, Exporter, Target, from_fn};
pub use registry::{Factory, Making, Registry, get_exporter};

pub(crate) use otlp_settings::OtlpSettings;
