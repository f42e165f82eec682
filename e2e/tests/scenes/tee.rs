//! Spans to several receivers at once: the API server and the kubelet know one address only.

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use tokio::runtime::Runtime;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};

const MAX_REQUEST: usize = 64 * 1024 * 1024;

/// A receiver of spans that gives each request to all others, and says yes when all have.
pub(crate) struct Tee {
    clients: Vec<TraceServiceClient<Channel>>,
}

#[tonic::async_trait]
impl TraceService for Tee {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let request = request.into_inner();
        for client in &self.clients {
            client.clone().export(request.clone()).await?;
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// Listens, and passes on to these ports; gives its own.
pub(crate) fn serve(runtime: &Runtime, ports: &[u16]) -> u16 {
    let _entered = runtime.enter();
    let channel = |port: &u16| Endpoint::from_shared(format!("http://127.0.0.1:{port}")).unwrap().connect_lazy();
    let clients =
        ports.iter().map(|port| TraceServiceClient::new(channel(port)).max_encoding_message_size(MAX_REQUEST));
    let service = TraceServiceServer::new(Tee { clients: clients.collect() }).max_decoding_message_size(MAX_REQUEST);
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = listener.local_addr().unwrap().port();
    runtime.spawn(Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener)));
    port
}

/// A port that nobody has just now.
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
