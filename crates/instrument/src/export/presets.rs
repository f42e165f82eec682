//! Backends that take OTLP as it is, each with its own address and words.

use super::exporter::{Batch, ExportFuture, Exporter, Target};
use super::otlp_settings::{OtlpSettings, Protocol};
use super::registry::Making;
use crate::attribute::{Attribute, attr};
use crate::error::Error;
use std::sync::Arc;

/// Any OTLP collector, by the component's own variables and the `OTEL_EXPORTER_OTLP_*` ones.
pub(super) fn otlp(making: &Making<'_>) -> Result<Arc<dyn Exporter>, Error> {
    OtlpSettings::from_env(making.env(), Protocol::Grpc)?.exporter(making.dialer())
}

/// Jaeger: its collector on this machine, unless the variables say otherwise.
pub(super) fn jaeger(making: &Making<'_>) -> Result<Arc<dyn Exporter>, Error> {
    otlp(making)
}

/// AWS X-Ray: through the OTLP port of a `CloudWatch` agent or an ADOT collector, which sign for AWS.
pub(super) fn xray(making: &Making<'_>) -> Result<Arc<dyn Exporter>, Error> {
    otlp(making)
}

/// Datadog: the OTLP port of its agent (`DD_AGENT_HOST`), with `DD_ENV`, `DD_SERVICE` and `DD_VERSION`.
pub(super) fn datadog(making: &Making<'_>) -> Result<Arc<dyn Exporter>, Error> {
    let env = making.env();
    let host = env.get("DD_AGENT_HOST").unwrap_or("localhost");
    let default = format!("http://{host}:4317");
    let settings = match env.otlp("ENDPOINT") {
        Some(_) => OtlpSettings::from_env(env, Protocol::Grpc)?,
        None => OtlpSettings::at(&default, env, Protocol::Grpc)?,
    };
    let words =
        [("DD_ENV", "deployment.environment.name"), ("DD_SERVICE", "service.name"), ("DD_VERSION", "service.version")];
    let resource = words.iter().filter_map(|(name, key)| Some(attr(*key, env.get(name)?.to_owned()))).collect();
    Ok(Arc::new(WithResource { inner: settings.exporter(making.dialer())?, resource }))
}

struct WithResource {
    inner: Arc<dyn Exporter>,
    resource: Vec<Attribute>,
}

impl Exporter for WithResource {
    fn export(&self, batch: Arc<Batch>) -> ExportFuture {
        self.inner.export(batch)
    }

    fn target(&self) -> Target {
        self.inner.target()
    }

    fn resource(&self) -> Vec<Attribute> {
        self.resource.clone()
    }
}
