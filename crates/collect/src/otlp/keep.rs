//! How a request that was received is kept.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;

use crate::record::{Context, Stopped};

/// Queues a request as one line; one without spans says nothing and is left out.
pub(super) async fn keep(context: &Context, request: &ExportTraceServiceRequest) -> Result<(), Stopped> {
    let scopes = request.resource_spans.iter().flat_map(|resource| &resource.scope_spans);
    let spans: usize = scopes.map(|scope| scope.spans.len()).sum();
    if spans == 0 {
        return Ok(());
    }
    let Ok(line) = super::json::line(request) else {
        context.queue.count_bad(1);
        return Ok(());
    };
    context.queue.send(line).await?;
    context.queue.counts().add_spans(spans);
    Ok(())
}
