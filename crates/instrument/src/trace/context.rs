//! The context: which span is current, whose tracing it is, and what travels along.

use super::carried::Carried;
use super::recording::Recording;
use super::span::SpanRef;
use super::span_context::{SpanContext, parse_trace_state};
use crate::steps::StepRef;
use crate::tracing::Tracing;
use clew_model::Baggage;
use http::HeaderValue;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;

thread_local! {
    static CURRENT: RefCell<Context> = const { RefCell::new(Context::EMPTY) };
}

/// What a call knows about the trace that it is part of; cheap to clone, empty by default.
#[derive(Clone, Default)]
pub struct Context {
    pub(crate) tracing: Option<Tracing>,
    pub(crate) span: SpanContext,
    pub(crate) recording: Option<Arc<Recording>>,
    pub(crate) carried: Carried,
    pub(crate) steps: Option<StepRef>,
}

impl Context {
    pub(crate) const EMPTY: Self =
        Self { tracing: None, span: SpanContext::NONE, recording: None, carried: Carried::NONE, steps: None };

    /// The context of the running call, empty outside of any.
    pub fn current() -> Self {
        CURRENT
            .try_with(|current| current.try_borrow().map(|context| context.clone()).ok())
            .ok()
            .flatten()
            .unwrap_or_default()
    }

    /// A context with another span, for example one that came in a message.
    pub fn with_remote(mut self, span: SpanContext) -> Self {
        self.carried.set_trace_state(span.trace_state.as_deref().cloned());
        self.span = span;
        self.recording = None;
        self
    }

    /// A context with other baggage.
    pub fn with_baggage(mut self, baggage: &Baggage) -> Self {
        let value = if baggage.is_empty() { None } else { HeaderValue::from_str(&baggage.to_string()).ok() };
        self.carried.set_baggage(value);
        self
    }

    /// The baggage that travels along; empty when there is none or when it is not valid.
    pub fn baggage(&self) -> Baggage {
        let text = self.carried.baggage().and_then(|value| value.to_str().ok());
        text.and_then(|text| Baggage::from_headers([text]).ok()).unwrap_or_default()
    }

    /// The trace state that travels along; empty when there is none or when it is not valid.
    pub fn trace_state(&self) -> String {
        parse_trace_state(self.carried.trace_state()).map(|state| state.to_string()).unwrap_or_default()
    }

    /// The current span's identity.
    pub fn span_context(&self) -> &SpanContext {
        &self.span
    }

    /// The current span, to add to it: Kubernetes' `SpanFromContext`.
    pub fn span(&self) -> SpanRef<'_> {
        SpanRef::new(self.recording.as_ref(), self.steps.as_ref())
    }

    /// Makes this the current context until the guard is dropped; for code that does not await.
    ///
    /// A guard must not live across an await, so it cannot leave its thread:
    ///
    /// ```compile_fail
    /// fn needs_send<T: Send>(_: T) {}
    /// needs_send(clew_instrument::Context::current().enter());
    /// ```
    pub fn enter(&self) -> Entered {
        Entered { before: Some(swap(self.clone())), not_send: PhantomData }
    }
}

/// Keeps a context current; see [`Context::enter`].
#[must_use = "the context is current only while the guard lives"]
pub struct Entered {
    before: Option<Context>,
    not_send: PhantomData<*const ()>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            drop(swap(before));
        }
    }
}

/// Makes a context current and gives back the one before.
pub(crate) fn swap(context: Context) -> Context {
    let mut context = Some(context);
    let before = CURRENT.try_with(|current| {
        let mut current = current.try_borrow_mut().ok()?;
        context.take().map(|context| std::mem::replace(&mut *current, context))
    });
    // A thread that is ending has no current context any more.
    before.ok().flatten().unwrap_or_default()
}
