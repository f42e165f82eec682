//! What an exporter is.

use crate::attribute::Attribute;
use crate::metrics::Snapshot;
use crate::trace::SpanRecord;
use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// Spans that are exported together, with the component that they are from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Batch {
    /// What is true of all of them: `service.name` and so on.
    pub resource: Arc<Vec<Attribute>>,
    /// The spans.
    pub spans: Vec<SpanRecord>,
}

/// What became of a batch that was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// How many of its spans the collector refused (OTLP's partial success).
    pub rejected: u64,
    /// What the collector said about it.
    pub message: String,
}

/// Why a batch was not taken.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ExportError {
    /// The value of `error.type` in metrics: short, and of few kinds.
    pub kind: Cow<'static, str>,
    /// What failed, on what, what to do.
    pub message: String,
    /// Whether the same batch may be taken later.
    pub retryable: bool,
    /// How long the collector asks to wait.
    pub retry_after: Option<Duration>,
}

impl ExportError {
    /// A failure that will not go away by trying again.
    pub fn fatal(kind: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), retryable: false, retry_after: None }
    }

    /// A failure that may go away.
    pub fn retryable(kind: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { retryable: true, ..Self::fatal(kind, message) }
    }
}

/// The outcome of an export, when it is there.
pub type ExportFuture = Pin<Box<dyn Future<Output = Result<Exported, ExportError>> + Send>>;

/// Where an exporter sends to, for metrics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// `otel.component.type`, for example `otlp_grpc_span_exporter`.
    pub component: Cow<'static, str>,
    /// `server.address`, if there is a server.
    pub address: Option<String>,
    /// `server.port`.
    pub port: Option<u16>,
}

/// Somebody who takes batches. It runs on the export thread, so it may take its time; it is told to stop after the timeout.
pub trait Exporter: Send + Sync + 'static {
    /// Takes a batch.
    fn export(&self, batch: Arc<Batch>) -> ExportFuture;

    /// Where batches go.
    fn target(&self) -> Target {
        Target { component: Cow::Borrowed("custom_span_exporter"), ..Target::default() }
    }

    /// What the backend wants to be said of the component, beyond what the component says.
    fn resource(&self) -> Vec<Attribute> {
        Vec::new()
    }

    /// Opens a connection ahead of the first batch, if there is one to open.
    fn connect(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        None
    }

    /// Takes this component's own metrics, if it can carry metrics.
    fn export_metrics(&self, _metrics: &Snapshot, _resource: &[Attribute]) -> Option<ExportFuture> {
        None
    }
}

/// An exporter out of a function, for those who need no more.
///
/// ```
/// use clew_instrument::export::{Batch, Exported, from_fn};
/// let names = from_fn("names", |batch: &Batch| {
///     for span in &batch.spans {
///         eprintln!("{}", span.name);
///     }
///     Ok(Exported::default())
/// });
/// ```
pub fn from_fn<F>(component: &'static str, take: F) -> Arc<dyn Exporter>
where
    F: Fn(&Batch) -> Result<Exported, ExportError> + Send + Sync + 'static,
{
    Arc::new(FunctionExporter { component, take })
}

struct FunctionExporter<F> {
    component: &'static str,
    take: F,
}

impl<F> Exporter for FunctionExporter<F>
where
    F: Fn(&Batch) -> Result<Exported, ExportError> + Send + Sync + 'static,
{
    fn export(&self, batch: Arc<Batch>) -> ExportFuture {
        let outcome = (self.take)(&batch);
        Box::pin(std::future::ready(outcome))
    }

    fn target(&self) -> Target {
        Target { component: Cow::Borrowed(self.component), ..Target::default() }
    }
}
