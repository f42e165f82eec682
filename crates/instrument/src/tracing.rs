//! The handle of a component's tracing: which state it is in, and how spans begin.

use crate::attribute::{Attribute, Text};
use crate::config::TracingConfiguration;
use crate::error::Error;
use crate::ids;
use crate::metrics::Snapshot;
use crate::propagate::Propagators;
use crate::runtime::Core;
use crate::state::State;
use crate::steps::StepRef;
use crate::trace::{Beginning, Context, Kind, Link, Recording, Span, SpanContext};
use http::HeaderMap;
use std::sync::Arc;
use std::time::Duration;

/// A component's tracing; cheap to clone, and all clones are one.
///
/// ```no_run
/// use clew_instrument::{Tracing, TracingConfiguration, attr};
/// # fn main() -> Result<(), clew_instrument::Error> {
/// let loaded = TracingConfiguration::from_file("tracing.yaml".as_ref())?;
/// let tracing = Tracing::builder("apiserver").configuration(loaded.configuration).build()?;
/// let span = tracing.start("Create", [attr("k8s.namespace.name", "default")]);
/// span.event("About to store object in database", []);
/// span.end_with_threshold(std::time::Duration::from_millis(500));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Tracing {
    core: Arc<Core>,
}

/// What a recorded span says of itself; asked for only when it is recorded.
pub struct Description {
    pub(crate) kind: Kind,
    pub(crate) name: Text,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) links: Vec<Link>,
}

impl Tracing {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        Self { core }
    }

    /// What the component does about tracing now.
    pub fn state(&self) -> State {
        self.core.live().state
    }

    /// Takes a new gate and configuration at run time: enables, disables, changes endpoint or rate. Spans that wait
    /// are not lost: they go where the new configuration says, or out before tracing is off.
    pub fn reload(&self, gate: bool, configuration: Option<&TracingConfiguration>) -> Result<State, Error> {
        self.core.reload(gate, configuration)
    }

    /// Starts a span below the current one; without one it is a root, recorded if the sampler says so.
    pub fn start(&self, name: impl Into<Text>, attributes: impl IntoIterator<Item = Attribute>) -> Span {
        let parent = Context::current();
        if parent.recording.is_some() {
            return Span::child(parent, name.into(), attributes);
        }
        self.start_from(parent, false, name.into(), attributes)
    }

    /// Starts a root span, whatever is current.
    pub fn start_root(&self, name: impl Into<Text>, attributes: impl IntoIterator<Item = Attribute>) -> Span {
        self.start_from(Context::EMPTY, false, name.into(), attributes)
    }

    /// Starts a span that is not below a recorded one, with its row in a step table.
    pub(crate) fn start_from(
        &self,
        parent: Context,
        pending: bool,
        name: Text,
        attributes: impl IntoIterator<Item = Attribute>,
    ) -> Span {
        let above = parent.steps.clone();
        let mut unsaid = Some((name, attributes));
        let mut context = self.begin(parent, pending, || {
            let (name, attributes) = unsaid
                .take()
                .map_or_else(Default::default, |(name, attributes)| (name, attributes.into_iter().collect()));
            Description { kind: Kind::Internal, name, attributes, links: Vec::new() }
        });
        let steps = match (&context.recording, unsaid) {
            (Some(recording), _) => StepRef::begin_recorded(above.as_ref(), recording),
            (None, Some((name, attributes))) => StepRef::begin(above.as_ref(), name, attributes.into_iter()),
            (None, None) => None,
        };
        context.steps.clone_from(&steps);
        Span::from_parts(context, steps)
    }

    /// Reads the context that headers carry; empty when the gate is off.
    pub fn extract(&self, headers: &HeaderMap) -> Context {
        let live = self.core.live();
        if !live.state.propagates() {
            return Context::default();
        }
        live.propagators.extract(headers)
    }

    /// Writes a context into headers; nothing when the gate is off.
    pub fn inject(&self, context: &Context, headers: &mut HeaderMap) {
        let live = self.core.live();
        if live.state.propagates() {
            live.propagators.inject(context, headers);
        }
    }

    /// The forms of context that are spoken.
    pub fn propagators(&self) -> Propagators {
        self.core.live().propagators
    }

    /// The numbers of this moment.
    pub fn snapshot(&self) -> Snapshot {
        self.core.snapshot()
    }

    /// This component's metrics in Prometheus' text form.
    pub fn prometheus(&self) -> String {
        self.snapshot().to_prometheus()
    }

    /// Waits until the spans that have ended are exported, at most `within`; says whether they were.
    ///
    /// It blocks the calling thread and works on every runtime, for the export has a thread of its own.
    pub fn flush(&self, within: Duration) -> bool {
        self.core.flush(within)
    }

    /// Exports what waits and ends tracing, at most `within`; says whether all was exported.
    pub fn shutdown(&self, within: Duration) -> bool {
        self.core.shutdown(within)
    }

    /// Counts a span below an unsampled one.
    pub(crate) fn count_unsampled(&self, parent: &SpanContext) {
        if matches!(self.core.live().state, State::On(_)) {
            self.core.queue().shard().started().unsampled(parent.is_valid(), parent.remote);
        }
    }

    /// The context of a span that begins: recorded, unsampled, or merely passed through.
    ///
    /// A `pending` span counts only once something happens in it.
    #[inline]
    pub(crate) fn begin(&self, parent: Context, pending: bool, describe: impl FnOnce() -> Description) -> Context {
        let live = self.core.live();
        let mut context = parent;
        let State::On(rule) = live.state else {
            context.tracing = Some(self.clone());
            return context;
        };
        let has_parent = context.span.is_valid();
        let trace_id = if has_parent { context.span.trace_id } else { ids::new_trace_id() };
        let sampled = rule.decide(trace_id, has_parent.then(|| context.span.is_sampled()));
        let (span_id, flags) = (ids::new_span_id(), u8::from(sampled));
        let mut span = SpanContext { trace_id, span_id, flags, remote: false, trace_state: None };
        if !sampled {
            self.core.queue().shard().started().unsampled(has_parent, context.span.remote);
            context.tracing = Some(self.clone());
            context.span = span;
            context.recording = None;
            return context;
        }
        // A recorded span knows its queue, and all that begins below it does too.
        context.tracing = None;
        span.trace_state = context.carried.trace_state().cloned().map(Arc::new);
        let parent = std::mem::replace(&mut context.span, span.clone());
        let Description { kind, name, attributes, links } = describe();
        let beginning = Beginning { context: span, parent: &parent, kind, name, attributes };
        let recording = Recording::begin(beginning, Arc::clone(self.core.queue().shard()), pending);
        for link in links {
            recording.link(link.context, link.attributes);
        }
        context.recording = Some(recording);
        context
    }
}
