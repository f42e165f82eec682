//! The answer on its way: the span is current while it is polled, and learns how it ended.

use super::body::TracedBody;
use super::protocol::{Peer, Protocol};
use crate::trace::{Span, swap_into};
use http::Response;
use pin_project_lite::pin_project;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{self, Poll};

pin_project! {
    /// The answer to a traced call, or of a traced service.
    pub struct TracedFuture<F, P> {
        #[pin]
        inner: F,
        span: Option<Span>,
        peer: Peer,
        protocol: PhantomData<P>,
    }
}

impl<F, P, R, E> Future for TracedFuture<F, P>
where
    F: Future<Output = Result<Response<R>, E>>,
    P: Protocol,
    E: std::fmt::Display,
{
    type Output = Result<Response<TracedBody<R, P>>, E>;

    fn poll(self: Pin<&mut Self>, task: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let polled = match this.span {
            None => this.inner.poll(task),
            Some(span) => {
                let _current = swap_into(span.context_mut());
                this.inner.poll(task)
            }
        };
        let outcome = match polled {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(outcome) => outcome,
        };
        let span = this.span.take().filter(Span::is_recording);
        Poll::Ready(finish::<R, E, P>(outcome, span, *this.peer))
    }
}

impl<F, P> TracedFuture<F, P> {
    pub(super) fn new(inner: F, span: Option<Span>, peer: Peer) -> Self {
        Self { inner, span, peer, protocol: PhantomData }
    }
}

/// Tells a recorded span about an answer, and gives it to the answer's body to end.
fn finish<R, E: std::fmt::Display, P: Protocol>(
    outcome: Result<Response<R>, E>,
    span: Option<Span>,
    peer: Peer,
) -> Result<Response<TracedBody<R, P>>, E> {
    match outcome {
        Ok(response) => {
            if let Some(span) = &span {
                P::answered(peer, span.as_ref(), response.status(), response.headers());
            }
            Ok(response.map(|body| TracedBody::new(body, span, peer)))
        }
        Err(error) => {
            if let Some(span) = span {
                span.set("error.type", "_OTHER");
                span.set_status(crate::trace::Status::Error(error.to_string().into()));
            }
            Err(error)
        }
    }
}
