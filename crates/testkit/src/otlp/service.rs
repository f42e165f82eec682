//! The trace service of the sink.

use std::sync::Arc;

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::TraceService;
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use tonic::{Request, Response, Status};

use super::kept::{Kept, Received};

pub(super) struct Service {
    pub(super) kept: Arc<Kept>,
}

#[tonic::async_trait]
impl TraceService for Service {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let refusal = self.kept.lock().refusal;
        if let Some(code) = refusal {
            self.kept.change(|state| state.refused += 1);
            return Err(Status::new(code, "the test asked for it"));
        }
        let metadata = request.metadata().clone();
        let request = request.into_inner();
        self.kept.change(|state| state.received.push(Received { metadata, request }));
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}
