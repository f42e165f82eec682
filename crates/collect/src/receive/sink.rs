//! Where received spans go.

use async_trait::async_trait;
use bytes::Bytes;
use clew_store::Result;
use clew_store::otlp::{self, Checked};

use crate::intake::Intake;

/// Takes requests that were checked. What it took is safe when it returns.
#[async_trait]
pub trait SpanSink: Send + Sync + 'static {
    /// Looks at a request before it is taken. The usual look takes out spans that break a rule.
    fn check(&self, request: Bytes, limits: &otlp::Limits) -> Result<Checked> {
        otlp::check(&request, limits)
    }

    /// Makes the request's spans durable.
    async fn take(&self, checked: Checked) -> Result<()>;
}

#[async_trait]
impl SpanSink for Intake {
    async fn take(&self, checked: Checked) -> Result<()> {
        self.checked(checked).await
    }
}
