//! The service that a gRPC server mounts. Written by hand: six methods need no generated code, and so no `protoc`.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use clew_store::Store;
use futures_util::stream::{self, Iter};
use prost::Message;
use tonic::body::Body;
use tonic::server::{Grpc, NamedService};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tower::{Service, service_fn};

use super::methods;
use crate::trace::Fault;

type HttpRequest = http::Request<Body>;
type HttpResponse = http::Response<Body>;
type Answers<M> = Response<Iter<std::vec::IntoIter<Result<M, Status>>>>;

/// `jaeger.api_v3.QueryService` over a store.
///
/// ```no_run
/// # async fn serve(store: std::sync::Arc<dyn clew_store::Store>) -> Result<(), tonic::transport::Error> {
/// let service = clew_server::JaegerService::new(store);
/// tonic::transport::Server::builder().add_service(service).serve(([127, 0, 0, 1], 4317).into()).await
/// # }
/// ```
#[derive(Clone)]
pub struct JaegerService {
    store: Arc<dyn Store>,
}

impl JaegerService {
    /// The service over a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }
}

impl NamedService for JaegerService {
    const NAME: &'static str = "jaeger.api_v3.QueryService";
}

impl Service<HttpRequest> for JaegerService {
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequest) -> Self::Future {
        let store = Arc::clone(&self.store);
        Box::pin(async move { Ok(answer(store, request).await) })
    }
}

/// The methods that there are; a call of any other ends before it is looked at.
pub(crate) const METHODS: [&str; 6] =
    ["GetTrace", "FindTraces", "FindTraceSummaries", "GetServices", "GetOperations", "GetDependencies"];

async fn answer(store: Arc<dyn Store>, request: HttpRequest) -> HttpResponse {
    let method = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
    match method.as_str() {
        other if !METHODS.contains(&other) => unknown(other),
        "GetTrace" => several(store, request, methods::get_trace).await,
        "FindTraces" => several(store, request, methods::find_traces).await,
        "FindTraceSummaries" => several(store, request, methods::find_summaries).await,
        "GetServices" => one(store, request, methods::get_services).await,
        "GetOperations" => one(store, request, methods::get_operations).await,
        "GetDependencies" => one(store, request, methods::get_dependencies).await,
        other => unknown(other),
    }
}

fn unknown(method: &str) -> HttpResponse {
    Status::unimplemented(format!("{method} is no method of {}", JaegerService::NAME)).into_http()
}

/// A method that answers once.
async fn one<A, M, F, W>(store: Arc<dyn Store>, request: HttpRequest, method: F) -> HttpResponse
where
    A: Message + Default + 'static,
    M: Message + Default + 'static,
    F: Fn(Arc<dyn Store>, A) -> W + Send,
    W: Future<Output = Result<M, Fault>> + Send + 'static,
{
    let answer = service_fn(move |request: Request<A>| {
        let answered = method(Arc::clone(&store), request.into_inner());
        async move { answered.await.map(Response::new).map_err(Status::from) }
    });
    Grpc::new(ProstCodec::<M, A>::default()).unary(answer, request).await
}

/// A method that answers with a stream.
async fn several<A, M, F, W>(store: Arc<dyn Store>, request: HttpRequest, method: F) -> HttpResponse
where
    A: Message + Default + 'static,
    M: Message + Default + 'static,
    F: Fn(Arc<dyn Store>, A) -> W + Send,
    W: Future<Output = Result<Vec<M>, Fault>> + Send + 'static,
{
    let answer = service_fn(move |request: Request<A>| {
        let answered = method(Arc::clone(&store), request.into_inner());
        async move {
            let messages: Vec<Result<M, Status>> = answered.await?.into_iter().map(Ok).collect();
            Ok::<Answers<M>, Status>(Response::new(stream::iter(messages)))
        }
    });
    Grpc::new(ProstCodec::<M, A>::default()).server_streaming(answer, request).await
}
