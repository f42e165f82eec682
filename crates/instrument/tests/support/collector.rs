//! A collector with moods, on a thread of its own: it refuses, hangs, slows down and vanishes.
#![allow(dead_code, reason = "each test takes what it needs")]

use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{ExportMetricsServiceRequest, ExportMetricsServiceResponse};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;
use tonic::{Code, Request, Response, Status};

#[derive(Clone, Copy)]
pub(crate) enum Mood {
    Well,
    Refuses(Code),
    Hangs,
    Slow(Duration),
    /// Takes a batch and rejects this many of its spans.
    Picky(i64),
}

#[derive(Clone)]
struct Service {
    mood: Arc<Mutex<Mood>>,
    taken: Arc<Mutex<Vec<String>>>,
    metrics: Arc<Mutex<Vec<ExportMetricsServiceRequest>>>,
}

pub(crate) struct Collector {
    address: SocketAddr,
    service: Service,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Collector {
    pub(crate) fn start() -> Self {
        Self::at("127.0.0.1:0".parse().unwrap())
    }

    pub(crate) fn at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let service =
            Service { mood: Arc::new(Mutex::new(Mood::Well)), taken: Arc::default(), metrics: Arc::default() };
        let (stop, stopped) = oneshot::channel();
        let answers = service.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
                let server = tonic::transport::Server::builder()
                    .add_service(TraceServiceServer::new(answers.clone()))
                    .add_service(MetricsServiceServer::new(answers))
                    .serve_with_incoming(incoming);
                tokio::select! {
                    _ = server => {}
                    _ = stopped => {}
                }
            });
        });
        Self { address, service, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn mood(&self, mood: Mood) {
        *self.service.mood.lock().unwrap() = mood;
    }

    /// The names of all spans that were taken.
    pub(crate) fn taken(&self) -> Vec<String> {
        self.service.taken.lock().unwrap().clone()
    }

    pub(crate) fn metrics(&self) -> Vec<ExportMetricsServiceRequest> {
        self.service.metrics.lock().unwrap().clone()
    }

    /// Vanishes, with all its connections.
    pub(crate) fn vanish(mut self) -> SocketAddr {
        drop(self.stop.take());
        self.thread.take().unwrap().join().unwrap();
        self.address
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[tonic::async_trait]
impl TraceService for Service {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let mood = *self.mood.lock().unwrap();
        let mut answer = ExportTraceServiceResponse::default();
        match mood {
            Mood::Well => {}
            Mood::Refuses(code) => return Err(Status::new(code, "in a bad mood")),
            Mood::Hangs => std::future::pending().await,
            Mood::Slow(pause) => tokio::time::sleep(pause).await,
            Mood::Picky(rejected_spans) => {
                answer.partial_success =
                    Some(ExportTracePartialSuccess { rejected_spans, error_message: "too old".to_owned() });
            }
        }
        let spans = request.into_inner().resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
        let names = spans.flat_map(|scope| scope.spans).map(|span| span.name);
        self.taken.lock().unwrap().extend(names);
        Ok(Response::new(answer))
    }
}

#[tonic::async_trait]
impl MetricsService for Service {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        self.metrics.lock().unwrap().push(request.into_inner());
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}
