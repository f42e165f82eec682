//! The API that components use: start a span, say what happens, end it (KEP-647: never OpenTelemetry by name).

use super::context::Context;
use super::record::{Kind, Status};
use super::recording::{Beginning, Recording};
use super::span_context::{SAMPLED, SpanContext};
use crate::attribute::{Attribute, Text, Value, attr};
use crate::ids;
use crate::steps::StepRef;
use std::sync::Arc;
use std::time::Duration;

/// Starts a span below the current one, and a row in its step table.
///
/// As Kubernetes' `tracing.Start`: without a current span nothing is recorded, only the step table is kept.
pub fn start(name: impl Into<Text>, attributes: impl IntoIterator<Item = Attribute>) -> Span {
    Span::child(Context::current(), name.into(), attributes)
}

/// A piece of work that is being done; it ends when it is dropped, if not before.
pub struct Span {
    context: Context,
    steps: Option<StepRef>,
}

impl Span {
    /// A span below that of `parent`.
    pub(crate) fn child(parent: Context, name: Text, attributes: impl IntoIterator<Item = Attribute>) -> Self {
        let mut span = Self { context: parent, steps: None };
        match span.context.recording.take() {
            Some(above) => span.begin_recorded(&above, name, attributes),
            None => span.begin_unrecorded(name, attributes),
        }
        span
    }

    fn begin_recorded(&mut self, above: &Recording, name: Text, attributes: impl IntoIterator<Item = Attribute>) {
        above.commit();
        let parent = self.context.span.clone();
        self.context.span.span_id = ids::new_span_id();
        self.context.span.flags |= SAMPLED;
        self.context.span.remote = false;
        let context = self.context.span.clone();
        let attributes = attributes.into_iter().collect();
        let beginning = Beginning { context, parent: &parent, kind: Kind::Internal, name, attributes };
        let recording = Recording::begin(beginning, Arc::clone(above.shard()), false);
        self.steps = StepRef::begin_recorded(self.context.steps.as_ref(), &recording);
        self.context.steps.clone_from(&self.steps);
        self.context.recording = Some(recording);
    }

    fn begin_unrecorded(&mut self, name: Text, attributes: impl IntoIterator<Item = Attribute>) {
        self.steps = StepRef::begin(self.context.steps.as_ref(), name, attributes.into_iter());
        self.context.steps.clone_from(&self.steps);
        if let Some(tracing) = &self.context.tracing {
            tracing.count_unsampled(&self.context.span);
        }
    }

    /// A span that something else began.
    pub(crate) fn from_parts(context: Context, steps: Option<StepRef>) -> Self {
        Self { context, steps }
    }

    /// The context below this span: current for work that is part of it.
    pub fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }

    /// Whether anything that is said to this span will be exported.
    pub fn is_recording(&self) -> bool {
        self.context.recording.is_some()
    }

    /// Adds a step: what was done by now.
    pub fn event(&self, name: impl Into<Text>, attributes: impl IntoIterator<Item = Attribute>) {
        self.as_ref().event(name, attributes);
    }

    /// Adds an error, and says that the span failed.
    pub fn record_error(&self, error: &dyn std::error::Error) {
        self.as_ref().record_error(error);
    }

    /// Sets an attribute.
    pub fn set(&self, key: impl Into<Text>, value: impl Into<Value>) {
        self.as_ref().set(key, value);
    }

    /// Says how it went.
    pub fn set_status(&self, status: Status) {
        self.as_ref().set_status(status);
    }

    /// Points at a span that this one has to do with.
    pub fn link(&self, other: &SpanContext, attributes: impl IntoIterator<Item = Attribute>) {
        if let Some(recording) = &self.context.recording {
            recording.link(other.clone(), attributes.into_iter().collect());
        }
    }

    /// Makes the span's context current until the guard is dropped; for code that does not await.
    pub fn enter(&self) -> super::context::Entered {
        self.context.enter()
    }

    /// The span to add to, without its end.
    pub fn as_ref(&self) -> SpanRef<'_> {
        SpanRef::new(self.context.recording.as_ref(), self.steps.as_ref())
    }

    /// Ends the span.
    pub fn end(self) {
        drop(self);
    }

    /// Ends the span, and logs its step table if it took at least `threshold`, recorded or not.
    pub fn end_with_threshold(mut self, threshold: Duration) {
        self.finish(Some(threshold));
    }

    fn finish(&mut self, threshold: Option<Duration>) {
        if let Some(recording) = &self.context.recording {
            Recording::end(recording);
        }
        // The context's clone goes first, so that the table can be used again.
        self.context.steps = None;
        if let Some(steps) = self.steps.take() {
            steps.end(threshold);
        }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        self.finish(None);
    }
}

/// A span that somebody else ends.
#[derive(Clone, Copy)]
pub struct SpanRef<'a> {
    recording: Option<&'a Arc<Recording>>,
    steps: Option<&'a StepRef>,
}

impl<'a> SpanRef<'a> {
    pub(crate) fn new(recording: Option<&'a Arc<Recording>>, steps: Option<&'a StepRef>) -> Self {
        Self { recording, steps }
    }

    /// Adds a step: what was done by now.
    pub fn event(&self, name: impl Into<Text>, attributes: impl IntoIterator<Item = Attribute>) {
        let name = name.into();
        let Some(recording) = self.recording else {
            if let Some(steps) = self.steps {
                steps.step(name, attributes.into_iter());
            }
            return;
        };
        // A step table reads the events of a recorded span from the span itself.
        recording.event(name, attributes.into_iter().collect());
    }

    /// Adds an error as OpenTelemetry's `exception` event, and says that the span failed.
    pub fn record_error(&self, error: &dyn std::error::Error) {
        let Some(recording) = self.recording else { return };
        let message = error.to_string();
        recording.event("exception".into(), vec![attr("exception.message", message.clone())]);
        recording.set_status(Status::Error(message.into()));
    }

    /// Sets an attribute.
    pub fn set(&self, key: impl Into<Text>, value: impl Into<Value>) {
        if let Some(recording) = self.recording {
            recording.set(attr(key, value));
        }
    }

    /// Sets an attribute that nobody has set yet.
    pub(crate) fn set_if_absent(&self, key: &'static str, value: impl FnOnce() -> Value) {
        if let Some(recording) = self.recording.filter(|recording| !recording.has(key)) {
            recording.set(attr(key, value()));
        }
    }

    /// Changes the name, for example when the route becomes known.
    pub fn set_name(&self, name: impl Into<Text>) {
        if let Some(recording) = self.recording {
            recording.set_name(name.into());
        }
    }

    /// Says how it went.
    pub fn set_status(&self, status: Status) {
        if let Some(recording) = self.recording {
            recording.set_status(status);
        }
    }

    /// Whether anything that is said to this span will be exported.
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }
}
