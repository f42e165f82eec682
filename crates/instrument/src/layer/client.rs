//! The client layer: a span for each call, and the context in its headers, also when nothing is recorded.

use super::body::TracedBody;
use super::future::TracedFuture;
use super::protocol::{Head, Peer, Protocol};
use crate::trace::{Context, Span, swap_into};
use crate::tracing::Tracing;
use http::{Request, Response};
use std::marker::PhantomData;
use std::task::{self, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// Adds a client span and a context to each request of a client.
#[derive(Clone)]
pub struct ClientLayer<P> {
    tracing: Tracing,
    protocol: PhantomData<P>,
}

impl<P: Protocol> ClientLayer<P> {
    /// Spans of `tracing`.
    pub fn new(tracing: &Tracing) -> Self {
        Self { tracing: tracing.clone(), protocol: PhantomData }
    }
}

impl<S, P: Protocol> Layer<S> for ClientLayer<P> {
    type Service = Client<S, P>;

    fn layer(&self, inner: S) -> Client<S, P> {
        Client { inner, layer: self.clone() }
    }
}

/// A client whose calls are traced; see `ClientLayer`.
#[derive(Clone)]
pub struct Client<S, P> {
    inner: S,
    layer: ClientLayer<P>,
}

impl<S, P, B, R> Service<Request<B>> for Client<S, P>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Error: std::fmt::Display,
    P: Protocol,
{
    type Response = Response<TracedBody<R, P>>;
    type Error = S::Error;
    type Future = TracedFuture<S::Future, P>;

    fn poll_ready(&mut self, task: &mut task::Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(task)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let tracing = &self.layer.tracing;
        let mut span = begin::<B, P>(tracing, &request);
        let inner = match &mut span {
            None => self.inner.call(request),
            Some(span) => {
                tracing.inject(span.context(), request.headers_mut());
                let _current = swap_into(span.context_mut());
                self.inner.call(request)
            }
        };
        TracedFuture::new(inner, span, Peer::Client)
    }
}

/// Begins the span of a call; none when the gate is off.
fn begin<B, P: Protocol>(tracing: &Tracing, request: &Request<B>) -> Option<Span> {
    if !tracing.state().propagates() {
        return None;
    }
    let parent = Context::current();
    if let Some(recording) = &parent.recording {
        recording.commit();
    }
    let context = tracing.begin(parent, false, || {
        let head = Head {
            method: request.method(),
            uri: request.uri(),
            version: request.version(),
            headers: request.headers(),
            extensions: request.extensions(),
        };
        P::describe(Peer::Client, &head)
    });
    Some(Span::from_parts(context, None))
}
