//! A connection whose peer must read: a write that makes no progress for too long is an error.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use pin_project_lite::pin_project;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

pin_project! {
    /// Wraps a connection.
    pub(super) struct Stalling<S> {
        #[pin]
        stream: S,
        #[pin]
        patience: Sleep,
        waiting: bool,
        limit: Duration,
    }
}

impl<S> Stalling<S> {
    pub(super) fn new(stream: S, limit: Duration) -> Self {
        Self { stream, patience: sleep(limit), waiting: false, limit }
    }

    /// Lets a pending write wait only so long since the first that could not go on.
    fn watch<T>(self: Pin<&mut Self>, cx: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        let mut own = self.project();
        if result.is_ready() {
            *own.waiting = false;
            return result;
        }
        if !*own.waiting {
            *own.waiting = true;
            own.patience.as_mut().reset(Instant::now() + *own.limit);
        }
        ready!(own.patience.poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read")))
    }
}

impl<S: AsyncRead> AsyncRead for Stalling<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.project().stream.poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite> AsyncWrite for Stalling<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = self.as_mut().project().stream.poll_write(cx, bytes);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.as_mut().project().stream.poll_write_vectored(cx, slices);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = self.as_mut().project().stream.poll_flush(cx);
        self.watch(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = self.as_mut().project().stream.poll_shutdown(cx);
        self.watch(cx, closed)
    }
}
