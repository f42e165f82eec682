//! The server layer: a span for each request, from its head to the end of its answer's stream.

use super::body::TracedBody;
use super::future::TracedFuture;
use super::protocol::{Head, Peer, Protocol};
use super::trust::Trust;
use crate::state::State;
use crate::trace::{Context, Link, Span, swap_into};
use crate::tracing::Tracing;
use http::{Request, Response};
use std::marker::PhantomData;
use std::sync::Arc;
use std::task::{self, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// Adds a server span to each request of a service.
#[derive(Clone)]
pub struct ServerLayer<P> {
    tracing: Tracing,
    trust: Trust,
    protocol: PhantomData<P>,
}

impl<P: Protocol> ServerLayer<P> {
    /// Spans of `tracing`, with Kubernetes' trust.
    pub fn new(tracing: &Tracing) -> Self {
        Self { tracing: tracing.clone(), trust: Trust::default(), protocol: PhantomData }
    }

    /// Sets whose context is a parent.
    pub fn trust(mut self, trust: Trust) -> Self {
        self.trust = trust;
        self
    }
}

impl<S, P: Protocol> Layer<S> for ServerLayer<P> {
    type Service = Server<S, P>;

    fn layer(&self, inner: S) -> Server<S, P> {
        Server { inner, layer: self.clone() }
    }
}

/// A service whose requests are traced; see `ServerLayer`.
#[derive(Clone)]
pub struct Server<S, P> {
    inner: S,
    layer: ServerLayer<P>,
}

impl<S, P: Protocol> Server<S, P> {
    /// Begins the span of a request; none when the gate is off.
    fn begin<B>(&self, request: &Request<B>) -> Option<Span> {
        let tracing = &self.layer.tracing;
        let state = tracing.state();
        if !state.propagates() {
            return None;
        }
        let mut parent = tracing.extract(request.headers());
        let mut untrusted = None;
        // In the pass-through state there is no span that could be protected: Kubernetes hands every context on.
        let decides = matches!(state, State::On(_)) && parent.span.is_valid();
        if decides && !self.layer.trust.trusts(request.extensions()) {
            untrusted = Some((std::mem::take(&mut parent.span), parent.carried.trace_state().cloned()));
            parent.carried.set_trace_state(None);
        }
        let context = tracing.begin(parent, false, || {
            let head = Head {
                method: request.method(),
                uri: request.uri(),
                version: request.version(),
                headers: request.headers(),
                extensions: request.extensions(),
            };
            let mut description = P::describe(Peer::Server, &head);
            description.links.extend(untrusted.map(|(mut context, state)| {
                context.trace_state = state.map(Arc::new);
                Link { context, attributes: Vec::new() }
            }));
            description
        });
        Some(Span::from_parts(context, None))
    }
}

impl<S, P, B, R> Service<Request<B>> for Server<S, P>
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

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let mut span = self.begin(&request);
        let inner = match &mut span {
            None => self.inner.call(request),
            Some(span) => {
                let _current = swap_into(span.context_mut());
                self.inner.call(request)
            }
        };
        TracedFuture::new(inner, span, Peer::Server)
    }
}

/// Keeps the current request's span open after its answer, for connections that are upgraded (exec, port forward, WebSocket).
///
/// Take it in the handler and drop it when the upgraded stream ends:
///
/// ```no_run
/// # async fn talk() {}
/// # async fn handler() {
/// let hold = clew_instrument::http::Hold::current();
/// tokio::spawn(async move {
///     talk().await;
///     drop(hold);
/// });
/// # }
/// ```
#[must_use = "the span stays open only while this is kept"]
pub struct Hold {
    context: Context,
}

impl Hold {
    /// Holds the current span.
    pub fn current() -> Self {
        let context = Context::current();
        if let Some(recording) = &context.recording {
            recording.hold();
        }
        Self { context }
    }

    /// The context of the request, for the work on the upgraded stream.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(recording) = &self.context.recording {
            crate::trace::Recording::release(recording);
        }
    }
}
