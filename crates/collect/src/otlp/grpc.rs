//! OTLP over gRPC.

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::codec::CompressionEncoding;
use tonic::transport::Server;
use tonic::{Request, Response, Status};

use super::keep::keep;
use crate::http::MAX_BODY;
use crate::record::Context;

/// Serves the trace service until it is aborted.
pub(crate) async fn serve(listener: TcpListener, context: Context) {
    let service = TraceServiceServer::new(Receiver { context: context.clone() })
        .accept_compressed(CompressionEncoding::Gzip)
        .max_decoding_message_size(MAX_BODY);
    let connections = TcpListenerStream::new(listener);
    if let Err(error) = Server::builder().add_service(service).serve_with_incoming(connections).await {
        context.notice(format!("the gRPC receiver ended: {error}"));
    }
}

struct Receiver {
    context: Context,
}

#[tonic::async_trait]
impl TraceService for Receiver {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let kept = keep(&self.context, request.get_ref()).await;
        kept.map_err(|stopped| Status::unavailable(stopped.to_string()))?;
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}
