//! Futures that run within a context.

use super::context::{Context, swap};
use super::span::Span;
use pin_project_lite::pin_project;
use std::future::Future;
use std::pin::Pin;
use std::task::{self, Poll};

pin_project! {
    /// A future that has its own current context whenever it is polled.
    pub struct Scoped<F> {
        #[pin]
        inner: F,
        context: Context,
    }
}

impl<F: Future> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut task::Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _restore = swap_into(this.context);
        this.inner.poll(task)
    }
}

/// Lends a context to the thread, and takes it back whatever happens, also when the future panics.
pub(crate) struct Restore<'a> {
    home: &'a mut Context,
    before: Context,
}

/// Makes a context current until the guard is dropped, without cloning it.
pub(crate) fn swap_into(home: &mut Context) -> Restore<'_> {
    let before = swap(std::mem::take(home));
    Restore { home, before }
}

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        *self.home = swap(std::mem::take(&mut self.before));
    }
}

/// Adds [`in_context`](InContext::in_context) and [`in_span`](InContext::in_span) to every future.
pub trait InContext: Future + Sized {
    /// Runs the future within a context.
    fn in_context(self, context: Context) -> Scoped<Self> {
        Scoped { inner: self, context }
    }

    /// Runs the future within a span.
    fn in_span(self, span: &Span) -> Scoped<Self> {
        self.in_context(span.context().clone())
    }
}

impl<F: Future> InContext for F {}
