//! A body that ends its span when its stream ends: a watch's span lasts as long as the watch.

use super::protocol::{Peer, Protocol};
use crate::trace::{Span, Status, swap_into};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

pin_project! {
    /// The body of a traced answer.
    pub struct TracedBody<B, P: Protocol> {
        #[pin]
        inner: B,
        span: Option<Span>,
        peer: Peer,
        protocol: PhantomData<P>,
    }

    impl<B, P: Protocol> PinnedDrop for TracedBody<B, P> {
        fn drop(this: Pin<&mut Self>) {
            let this = this.project();
            // Whoever read the stream has let go of it before its end.
            if let Some(span) = this.span.take() {
                P::cut_off(*this.peer, span.as_ref());
            }
        }
    }
}

impl<B, P: Protocol> TracedBody<B, P> {
    pub(super) fn new(inner: B, span: Option<Span>, peer: Peer) -> Self {
        Self { inner, span, peer, protocol: PhantomData }
    }
}

impl<B: Default, P: Protocol> Default for TracedBody<B, P> {
    fn default() -> Self {
        Self { inner: B::default(), span: None, peer: Peer::Server, protocol: PhantomData }
    }
}

impl<B, P> Body for TracedBody<B, P>
where
    B: Body,
    B::Error: std::fmt::Display,
    P: Protocol,
{
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let this = self.project();
        let Some(span) = this.span.as_mut() else { return this.inner.poll_frame(task) };
        let polled = {
            let _current = swap_into(span.context_mut());
            this.inner.poll_frame(task)
        };
        let frame = ready!(polled);
        match &frame {
            None => {
                P::cut_off(*this.peer, span.as_ref());
                *this.span = None;
            }
            Some(Ok(frame)) => {
                if let Some(trailers) = frame.trailers_ref() {
                    P::trailers(*this.peer, span.as_ref(), trailers);
                    *this.span = None;
                }
            }
            Some(Err(error)) => {
                span.set("error.type", "_OTHER");
                span.set_status(Status::Error(error.to_string().into()));
                *this.span = None;
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
