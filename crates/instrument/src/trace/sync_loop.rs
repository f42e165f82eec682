//! Loops that start work themselves (`syncPod`, garbage collection, eviction): one root span for each round that did something.

use super::context::Context;
use super::span::{Span, start};
use crate::attribute::{Attribute, Text};
use crate::tracing::Tracing;

/// A loop whose rounds are traced.
///
/// ```no_run
/// # use clew_instrument::{Tracing, SyncLoop, InContext, attr};
/// # async fn work() -> bool { true }
/// # async fn run(tracing: Tracing) {
/// let pods = SyncLoop::new(&tracing, "syncPod");
/// loop {
///     let round = pods.iteration([attr("k8s.pod.uid", "4711")]);
///     if work().in_context(round.context().clone()).await {
///         round.worked();
///     }
/// }
/// # }
/// ```
#[derive(Clone)]
pub struct SyncLoop {
    tracing: Tracing,
    name: Text,
}

impl SyncLoop {
    /// A loop whose rounds are called `name`.
    pub fn new(tracing: &Tracing, name: impl Into<Text>) -> Self {
        Self { tracing: tracing.clone(), name: name.into() }
    }

    /// Begins a round. Its span is a root, and it is exported only if something happened in it: a span was started
    /// below it, an attribute or an event was added, or [`worked`](Iteration::worked) was called.
    pub fn iteration(&self, attributes: impl IntoIterator<Item = Attribute>) -> Iteration {
        let span = self.tracing.start_from(Context::EMPTY, true, self.name.clone(), attributes);
        Iteration { span }
    }
}

/// One round of a loop; it ends when it is dropped.
pub struct Iteration {
    span: Span,
}

impl Iteration {
    /// The context for the work of this round.
    pub fn context(&self) -> &Context {
        self.span.context()
    }

    /// The span of this round.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Says that the round did something, so its span is kept.
    pub fn worked(&self) {
        if let Some(recording) = &self.span.context().recording {
            recording.commit();
        }
    }

    /// Starts a span below this round's.
    pub fn start(&self, name: impl Into<Text>, attributes: impl IntoIterator<Item = Attribute>) -> Span {
        let _current = self.span.enter();
        start(name, attributes)
    }
}
