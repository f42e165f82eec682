//! The third version of the API over gRPC, through a real socket.

use std::net::SocketAddr;

use clew_model::TraceId;
use clew_server::jaeger_messages::{
    DependenciesResponse, FindTraceSummariesResponse, FindTracesRequest, GetDependenciesRequest, GetOperationsRequest,
    GetOperationsResponse, GetServicesRequest, GetServicesResponse, GetTraceRequest, Timestamp, TraceQueryParameters,
};
use clew_server::{JaegerService, router};
use http::uri::PathAndQuery;
use opentelemetry_proto::tonic::trace::v1::{Span, TracesData};
use prost::Message;
use tonic::client::Grpc;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Server};
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;

use crate::{journey, support};

/// The service on the page's address, with all that guards it.
async fn client() -> Grpc<Channel> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = axum::serve(listener, router(support::app()));
    tokio::spawn(async move { served.await.unwrap() });
    connect(address).await
}

/// The service alone, as another server mounts it.
async fn alone() -> Grpc<Channel> {
    let incoming = TcpIncoming::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = incoming.local_addr().unwrap();
    let service = JaegerService::new(support::rollout());
    tokio::spawn(Server::builder().add_service(service).serve_with_incoming(incoming));
    connect(address).await
}

async fn connect(address: SocketAddr) -> Grpc<Channel> {
    let channel = Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap();
    let mut client = Grpc::new(channel);
    client.ready().await.unwrap();
    client
}

fn path(method: &str) -> PathAndQuery {
    format!("/jaeger.api_v3.QueryService/{method}").parse().unwrap()
}

async fn one<A, M>(method: &str, asked: A) -> Result<M, Status>
where
    A: Message + Default + 'static,
    M: Message + Default + 'static,
{
    let codec = ProstCodec::<A, M>::default();
    client().await.unary(Request::new(asked), path(method), codec).await.map(tonic::Response::into_inner)
}

async fn several<A, M>(method: &str, asked: A) -> Result<Vec<M>, Status>
where
    A: Message + Default + 'static,
    M: Message + Default + 'static,
{
    let codec = ProstCodec::<A, M>::default();
    let mut stream = client().await.server_streaming(Request::new(asked), path(method), codec).await?.into_inner();
    let mut all = Vec::new();
    while let Some(message) = stream.message().await? {
        all.push(message);
    }
    Ok(all)
}

fn spans(chunks: Vec<TracesData>) -> Vec<Span> {
    let groups = chunks.into_iter().flat_map(|chunk| chunk.resource_spans);
    groups.flat_map(|group| group.scope_spans).flat_map(|scoped| scoped.spans).collect()
}

fn ever(service: &str) -> FindTracesRequest {
    let query = TraceQueryParameters {
        service_name: service.into(),
        start_time_min: Some(Timestamp { seconds: 1, nanos: 0 }),
        start_time_max: Some(Timestamp { seconds: 9_000_000_000, nanos: 5 }),
        search_depth: 3,
        ..TraceQueryParameters::default()
    };
    FindTracesRequest { query: Some(query) }
}

#[tokio::test]
async fn services_operations_and_dependencies_are_told() {
    let services: GetServicesResponse = one("GetServices", GetServicesRequest {}).await.unwrap();
    assert!(services.services.contains(&"kubelet".to_owned()));
    let asked = GetOperationsRequest { service: "kubelet".into(), span_kind: String::new() };
    let operations: GetOperationsResponse = one("GetOperations", asked).await.unwrap();
    assert!(operations.operations.iter().any(|operation| operation.name == "syncPod"));
    let calls: DependenciesResponse = one("GetDependencies", GetDependenciesRequest::default()).await.unwrap();
    assert!(calls.dependencies.iter().any(|call| call.parent == "kubernetes" && call.call_count > 0));
}

#[tokio::test]
async fn another_server_can_mount_it() {
    let codec = ProstCodec::<GetServicesRequest, GetServicesResponse>::default();
    let answer = alone().await.unary(Request::new(GetServicesRequest {}), path("GetServices"), codec).await.unwrap();
    assert!(answer.into_inner().services.contains(&"kubernetes".to_owned()));
}

#[tokio::test]
async fn a_native_id_streams_the_whole_journey() {
    let journey = journey().await;
    let native = journey["segments"][0].as_str().unwrap().to_owned();
    let asked = GetTraceRequest { trace_id: native.clone(), ..GetTraceRequest::default() };
    let all = spans(several("GetTrace", asked.clone()).await.unwrap());
    assert_eq!(all.len(), journey["spans"].as_array().unwrap().len());
    let id: TraceId = journey["journey"].as_str().unwrap().parse().unwrap();
    assert!(all.iter().all(|span| span.trace_id == id.to_bytes()));
    let raw = spans(several("GetTrace", GetTraceRequest { raw_traces: true, ..asked }).await.unwrap());
    let native: TraceId = native.parse().unwrap();
    assert!(!raw.is_empty() && raw.iter().all(|span| span.trace_id == native.to_bytes()));
}

#[tokio::test]
async fn searches_and_summaries_agree() {
    let all = spans(several("FindTraces", ever("kubernetes")).await.unwrap());
    let summaries: Vec<FindTraceSummariesResponse> = several("FindTraceSummaries", ever("kubernetes")).await.unwrap();
    let summaries: Vec<_> = summaries.into_iter().flat_map(|chunk| chunk.summaries).collect();
    assert_eq!(summaries.len(), 3);
    let count: i32 = summaries.iter().map(|summary| summary.span_count).sum();
    assert_eq!(usize::try_from(count).unwrap(), all.len());
    assert!(several::<_, TracesData>("FindTraces", ever("nobody")).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_wrong_has_its_code() {
    let code = async |trace: &str| {
        let asked = GetTraceRequest { trace_id: trace.into(), ..GetTraceRequest::default() };
        several::<_, TracesData>("GetTrace", asked).await.unwrap_err().code()
    };
    assert_eq!(code("1").await, Code::NotFound);
    assert_eq!(code("xyz").await, Code::InvalidArgument);
    let mut filtered = ever("kubelet");
    filtered.query.as_mut().unwrap().filter = Some(vec![10, 2, b'e', b'q']);
    let refused = several::<_, TracesData>("FindTraces", filtered).await.unwrap_err();
    assert!(refused.message().contains("query.filter"));
    let unknown = one::<_, GetServicesResponse>("Guess", GetServicesRequest {}).await.unwrap_err();
    assert_eq!(unknown.code(), Code::Unimplemented);
}
