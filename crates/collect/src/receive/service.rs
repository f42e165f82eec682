//! What all connections of a receiver share, and the way of one request through it.

use std::sync::Arc;

use axum::http::{Request, Response};
use hyper::body::Incoming;
use tokio::sync::Semaphore;

use super::answer::Answer;
use super::budget::Budget;
use super::counters::{Counters, Received};
use super::settings::Limits;
use super::sink::SpanSink;
use super::tokens::Tokens;
use super::{grpc, http};

/// The receiver's one service, for gRPC and HTTP alike.
pub(crate) struct Service {
    pub(super) sink: Arc<dyn SpanSink>,
    pub(super) limits: Limits,
    pub(super) tokens: Tokens,
    pub(super) budget: Arc<Budget>,
    pub(super) unpacking: Semaphore,
    pub(super) counters: Counters,
}

impl Service {
    pub(crate) fn new(sink: Arc<dyn SpanSink>, limits: Limits, tokens: &[String]) -> Arc<Self> {
        let budget = Budget::new(limits.memory_bytes);
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Arc::new(Self {
            sink,
            limits,
            tokens: Tokens::new(tokens),
            budget,
            unpacking: Semaphore::new(cores),
            counters: Counters::default(),
        })
    }

    /// What was counted so far.
    pub(crate) fn received(&self) -> Received {
        self.counters.snapshot()
    }

    pub(super) async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Response<Answer> {
        let (head, body) = request.into_parts();
        if grpc::is_call(&head.headers) {
            let taken = grpc::call(&self, head.uri.path(), &head.headers, body).await;
            self.count(&taken);
            return grpc::answer(&taken);
        }
        let taken = http::post(&self, (&head.method, head.uri.path()), &head.headers, body).await;
        self.count(&taken);
        http::answer(&taken, http::Form::of(&head.headers))
    }

    fn count<T>(&self, taken: &Result<T, super::refusal::Refusal>) {
        if let Err(refusal) = taken {
            self.counters.refused(refusal);
        }
    }
}
