//! How a request that was received is recorded.

use async_trait::async_trait;
use bytes::Bytes;
use clew_store::otlp::{Checked, Counts, Limits};
use clew_store::{Result, StoreError};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;

use crate::receive::SpanSink;
use crate::record::Context;

/// Records requests as lines of a capture.
pub(crate) struct Recorded(pub(crate) Context);

#[async_trait]
impl SpanSink for Recorded {
    /// A recording keeps spans as they came, also those that a store would refuse.
    fn check(&self, request: Bytes, limits: &Limits) -> Result<Checked> {
        let checked = clew_store::otlp::check(&request, limits).inspect_err(|_| self.0.queue.count_bad(1))?;
        let mut counts = Counts::default();
        counts.taken = checked.counts.taken + checked.counts.refused();
        Ok(Checked { request, counts, ..checked })
    }

    /// Queues a request as one line.
    async fn take(&self, checked: Checked) -> Result<()> {
        let Ok(request) = ExportTraceServiceRequest::decode(checked.request) else {
            self.0.queue.count_bad(1);
            return Err(StoreError::Request("a text is not UTF-8".to_owned()));
        };
        let scopes = request.resource_spans.iter().flat_map(|resource| &resource.scope_spans);
        let spans: usize = scopes.map(|scope| scope.spans.len()).sum();
        let Ok(line) = super::json::line(&request) else {
            self.0.queue.count_bad(1);
            return Ok(());
        };
        self.0.queue.send(line).await.map_err(|_| StoreError::Closed)?;
        self.0.queue.counts().add_spans(spans);
        Ok(())
    }
}
