//! The gRPC layers over a real tonic server on a unix socket: what a kubelet's `syncPod` would call.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

mod support;

use clew_instrument::grpc::{ClientLayer, ServerLayer};
use clew_instrument::http::Trust;
use clew_instrument::{InContext, SyncLoop, Tracing, attr, start};
use clew_testkit::otlp::Sink;
use http::uri::PathAndQuery;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use support::{attribute, hex, named, names, spans, tracing_to};
use tokio_stream::{Stream, StreamExt};
use tonic::body::Body;
use tonic::server::{NamedService, ServerStreamingService, UnaryService};
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tower::{Layer, Service};

/// A CRI-like message: enough to carry an id there and back.
#[derive(Clone, PartialEq, prost::Message)]
struct Message {
    #[prost(string, tag = "1")]
    id: String,
}

/// A runtime that serves three calls of CRI.
#[derive(Clone)]
struct Runtime;

impl NamedService for Runtime {
    const NAME: &'static str = "runtime.v1.RuntimeService";
}

struct RunPodSandbox;

impl UnaryService<Message> for RunPodSandbox {
    type Response = Message;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Message>, Status>> + Send>>;

    fn call(&mut self, request: Request<Message>) -> Self::Future {
        Box::pin(async move {
            start("setup network", []).end();
            match request.get_ref().id.as_str() {
                "missing" => Err(Status::not_found("no such sandbox")),
                "broken" => Err(Status::internal("runc: exit 1")),
                id => Ok(Response::new(Message { id: id.to_owned() })),
            }
        })
    }
}

struct ContainerEvents;

impl ServerStreamingService<Message> for ContainerEvents {
    type Response = Message;
    type ResponseStream = Pin<Box<dyn Stream<Item = Result<Message, Status>> + Send>>;
    type Future = std::future::Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: Request<Message>) -> Self::Future {
        let fails = request.get_ref().id == "fails";
        let items = (0..3).map(move |index| match index {
            2 if fails => Err(Status::data_loss("the log is gone")),
            _ => Ok(Message { id: index.to_string() }),
        });
        let stream = tokio_stream::iter(items).throttle(std::time::Duration::from_millis(30));
        std::future::ready(Ok(Response::new(Box::pin(stream))))
    }
}

impl Service<http::Request<Body>> for Runtime {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async move {
            let mut grpc = tonic::server::Grpc::new(ProstCodec::default());
            let answer = match request.uri().path() {
                "/runtime.v1.RuntimeService/RunPodSandbox" => grpc.unary(RunPodSandbox, request).await,
                "/runtime.v1.RuntimeService/GetContainerEvents" => {
                    grpc.server_streaming(ContainerEvents, request).await
                }
                _ => Status::unimplemented("").into_http(),
            };
            Ok(answer)
        })
    }
}

/// The image service of the same runtime.
#[derive(Clone)]
struct Images;

impl NamedService for Images {
    const NAME: &'static str = "runtime.v1.ImageService";
}

impl Service<http::Request<Body>> for Images {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async move {
            let mut grpc = tonic::server::Grpc::new(ProstCodec::default());
            Ok(grpc.unary(RunPodSandbox, request).await)
        })
    }
}

/// Serves the runtime on a unix socket, traced.
fn runtime(folder: &Path, tracing: &Tracing) -> PathBuf {
    let path = folder.join("cri.sock");
    let listener = tokio::net::UnixListener::bind(&path).unwrap();
    let incoming = tokio_stream::wrappers::UnixListenerStream::new(listener);
    let layer = ServerLayer::new(tracing).trust(Trust::everyone());
    let server = Server::builder().layer(layer).add_service(Runtime).add_service(Images).serve_with_incoming(incoming);
    tokio::spawn(server);
    path
}

async fn connect(path: PathBuf) -> Channel {
    let connector = tower::service_fn(move |_: http::Uri| {
        let path = path.clone();
        async move { tokio::net::UnixStream::connect(path).await.map(hyper_util::rt::TokioIo::new) }
    });
    Endpoint::from_static("http://localhost").connect_with_connector(connector).await.unwrap()
}

type Client = tonic::client::Grpc<clew_instrument::http::Client<Channel, clew_instrument::grpc::Grpc>>;

async fn client(path: PathBuf, tracing: &Tracing) -> Client {
    tonic::client::Grpc::new(ClientLayer::new(tracing).layer(connect(path).await))
}

async fn call(client: &mut Client, path: &'static str, id: &str) -> Result<Message, Status> {
    client.ready().await.unwrap();
    let path = PathAndQuery::from_static(path);
    let answer = client.unary(Request::new(Message { id: id.into() }), path, ProstCodec::default()).await;
    answer.map(Response::into_inner)
}

async fn run_pod_sandbox(client: &mut Client, id: &str) -> Result<Message, Status> {
    call(client, "/runtime.v1.RuntimeService/RunPodSandbox", id).await
}

const RUN: &str = "runtime.v1.RuntimeService/RunPodSandbox";

fn of_kind<'a>(all: &'a [Span], name: &str, kind: SpanKind) -> &'a Span {
    all.iter().find(|span| span.name == name && span.kind == kind as i32).unwrap_or_else(|| panic!("{:?}", names(all)))
}

#[tokio::test]
async fn the_calls_of_sync_pod_are_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let sink = Sink::start().unwrap();
    let (kubelet, containerd) = (tracing_to(&sink, 1_000_000), tracing_to(&sink, 0));
    let socket = runtime(folder.path(), &containerd);
    let mut client = client(socket, &kubelet).await;
    let pods = SyncLoop::new(&kubelet, "syncPod");
    {
        let round = pods.iteration([attr("k8s.pod.uid", "4711")]);
        let image = call(&mut client, "/runtime.v1.ImageService/PullImage", "busybox");
        image.in_context(round.context().clone()).await.unwrap();
        run_pod_sandbox(&mut client, "a").in_context(round.context().clone()).await.unwrap();
    }
    assert!(containerd.flush(support::SOON));
    let all = spans(&kubelet, &sink, 7);
    let sync = named(&all, "syncPod");
    let call = of_kind(&all, RUN, SpanKind::Client);
    let serve = of_kind(&all, RUN, SpanKind::Server);
    assert_eq!(sync.parent_span_id.len(), 0);
    assert_eq!(attribute(sync, "k8s.pod.uid").as_deref(), Some("4711"));
    assert_eq!(call.parent_span_id, sync.span_id);
    assert_eq!(serve.parent_span_id, call.span_id);
    let pull = of_kind(&all, "runtime.v1.ImageService/PullImage", SpanKind::Client);
    let pulls = of_kind(&all, "runtime.v1.ImageService/PullImage", SpanKind::Server);
    assert_eq!((&pull.parent_span_id, &pulls.parent_span_id), (&sync.span_id, &pull.span_id));
    let below: Vec<&Span> = all.iter().filter(|span| span.name == "setup network").collect();
    assert!(below.iter().all(|span| [&serve.span_id, &pulls.span_id].contains(&&span.parent_span_id)));
    assert_eq!(below.len(), 2);
    assert!(all.iter().all(|span| hex(&span.trace_id) == hex(&sync.trace_id)));
    for span in [call, serve] {
        assert_eq!(attribute(span, "rpc.system.name").as_deref(), Some("grpc"));
        assert_eq!(attribute(span, "rpc.method").as_deref(), Some(RUN));
        assert_eq!(attribute(span, "rpc.response.status_code").as_deref(), Some("OK"));
        assert_eq!(span.status, None);
    }
}

#[tokio::test]
async fn a_round_that_does_nothing_has_no_span() {
    let sink = Sink::start().unwrap();
    let kubelet = tracing_to(&sink, 1_000_000);
    let pods = SyncLoop::new(&kubelet, "syncPod");
    for _ in 0..5 {
        drop(pods.iteration([]));
    }
    let worked = pods.iteration([]);
    worked.worked();
    drop(worked);
    drop(pods.iteration([]).start("image pull", []));
    let all = spans(&kubelet, &sink, 3);
    assert_eq!(names(&all), ["image pull", "syncPod", "syncPod"]);
    assert_ne!(all[0].trace_id, all[1].trace_id, "each round is a trace of its own");
    let snapshot = kubelet.snapshot();
    assert_eq!((snapshot.started, snapshot.live), (3, 0));
}

#[tokio::test]
async fn errors_are_told_by_their_code() {
    let folder = tempfile::tempdir().unwrap();
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let mut client = client(runtime(folder.path(), &tracing), &tracing).await;
    assert!(run_pod_sandbox(&mut client, "missing").await.is_err());
    let all = spans(&tracing, &sink, 3);
    let call = of_kind(&all, RUN, SpanKind::Client);
    assert_eq!(attribute(call, "rpc.response.status_code").as_deref(), Some("NOT_FOUND"));
    assert_eq!(attribute(call, "error.type").as_deref(), Some("NOT_FOUND"));
    assert_eq!(call.status.as_ref().unwrap().message, "no such sandbox");
    // That a thing is not there is no fault of the server's.
    let serve = of_kind(&all, RUN, SpanKind::Server);
    assert_eq!((attribute(serve, "rpc.response.status_code").as_deref(), &serve.status), (Some("NOT_FOUND"), &None));
    assert!(run_pod_sandbox(&mut client, "broken").await.is_err());
    let all = spans(&tracing, &sink, 6);
    let broken = |span: &&Span| span.kind == SpanKind::Server as i32 && attribute(span, "error.type").is_some();
    let serve = all.iter().find(broken).unwrap();
    assert_eq!(serve.status.as_ref().unwrap().message, "runc: exit 1");
}

#[tokio::test]
async fn a_stream_lasts_until_its_trailers() {
    let folder = tempfile::tempdir().unwrap();
    let sink = Sink::start().unwrap();
    let tracing = tracing_to(&sink, 1_000_000);
    let mut client = client(runtime(folder.path(), &tracing), &tracing).await;
    for (id, code) in [("well", "OK"), ("fails", "DATA_LOSS")] {
        client.ready().await.unwrap();
        let path = PathAndQuery::from_static("/runtime.v1.RuntimeService/GetContainerEvents");
        let request = Request::new(Message { id: id.into() });
        let answer = client.server_streaming(request, path, ProstCodec::<Message, Message>::default()).await.unwrap();
        let items: Vec<Result<Message, Status>> = answer.into_inner().collect().await;
        assert_eq!(items.len(), 3);
        let all = spans(&tracing, &sink, if id == "well" { 2 } else { 4 });
        let of_code: Vec<&Span> =
            all.iter().filter(|span| attribute(span, "rpc.response.status_code").as_deref() == Some(code)).collect();
        assert_eq!(of_code.len(), 2, "client and server of {id}");
        for span in of_code {
            assert_eq!(span.name, "runtime.v1.RuntimeService/GetContainerEvents");
            assert!(span.end_time_unix_nano - span.start_time_unix_nano > 55_000_000, "{id}");
        }
    }
}
