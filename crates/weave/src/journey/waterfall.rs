//! The spans of a journey: itself, a span for each object, and below it requests, phases, gaps and events.

use clew_model::{Evidence, Span, SpanEvent, SpanId, Status, Time, TraceId, Value, ids};
use rustc_hash::FxHashMap;

use crate::object::ObjectId;
use crate::output::{Child, Edge, State};
use crate::step::{Cause, Effect, StepId};

use super::standing::Standing;
use super::{Builder, Part};

/// How many events one span carries.
const MAX_EVENTS: usize = 128;

/// The spans of a journey, and why each hangs where it hangs.
pub(super) struct Waterfall {
    pub(super) root: SpanId,
    pub(super) spans: Vec<Span>,
    pub(super) edges: Vec<Edge>,
    pub(super) segments: Vec<TraceId>,
    /// The span of each object.
    pub(super) of_object: FxHashMap<ObjectId, SpanId>,
    /// When each object was first changed.
    began: FxHashMap<ObjectId, Time>,
}

impl Builder<'_> {
    pub(super) fn waterfall(&self, parts: &[Part], standing: &Standing) -> Waterfall {
        let root = ids::object_span(self.id, "");
        let of_object = parts.iter().map(|part| (part.object, self.object_span_id(part.object))).collect();
        let began = parts.iter().map(|part| (part.object, part.start)).collect();
        let refused = self.refusals();
        let mut waterfall =
            Waterfall { root, spans: Vec::new(), edges: Vec::new(), segments: Vec::new(), of_object, began };
        waterfall.spans.push(self.journey_span(root, standing));
        for part in parts {
            self.object_span(part, standing, &mut waterfall);
            self.phases(part, &mut waterfall);
            self.gaps(part, &refused, &mut waterfall);
            self.calls(part, &mut waterfall);
            self.pod_segments(part, &mut waterfall);
        }
        for id in &self.steps {
            self.request(*id, &mut waterfall);
        }
        if let Some(trace) = self.memory.command_trace(self.memory.step(self.root)) {
            self.attach(trace, root, Evidence::Context, &mut waterfall);
        }
        waterfall.segments.sort_unstable();
        waterfall.segments.dedup();
        waterfall
    }

    pub(super) fn blank(&self, id: SpanId, name: impl Into<compact_str::CompactString>, start: Time) -> Span {
        let mut span = Span::new(self.id, id, name, start);
        span.resource = std::sync::Arc::clone(&self.resource);
        span.scope = "clew".into();
        span
    }

    fn object_span_id(&self, object: ObjectId) -> SpanId {
        ids::object_span(self.id, &self.memory.object(object).uid.to_string())
    }

    fn journey_span(&self, id: SpanId, standing: &Standing) -> Span {
        let root = self.memory.step(self.root);
        let name = format!("{} {}", super::verb(root), self.label(root.object));
        let mut span = self.blank(id, name, root.time);
        span.end = (standing.state != State::Open).then_some(standing.end);
        let attributes = &mut span.attributes;
        attributes.push("clew.kind", "journey");
        let state = match standing.state {
            State::Open => "open",
            State::Converged => "converged",
            State::Failed => "failed",
            State::Stuck => "stuck",
        };
        attributes.push("clew.state", state);
        if let Some(actor) = root.actor {
            let actor = self.memory.actors.get(actor);
            attributes.push("user.name", self.memory.symbols.text(actor.user));
            attributes.push("user_agent.original", self.memory.symbols.text(actor.agent));
        }
        if let Some(command) = self.command {
            attributes.push("clew.command", command.to_string());
        }
        if let Some(revision) = self.revision() {
            attributes.push("vcs.ref.head.revision", revision.hash());
            attributes.push("vcs.repository.url.full", revision.repository.as_str());
            if let Some(name) = revision.name() {
                attributes.push("vcs.ref.head.name", name);
            }
        }
        if let Some(waiting) = &standing.waiting_on {
            attributes.push("clew.waiting_on.reason", waiting.reason.as_str());
            attributes.push("clew.waiting_on.message", waiting.message.as_str());
            if standing.state != State::Open {
                span.status = Status::error(waiting.message.as_str());
            }
        }
        span
    }

    fn object_span(&self, part: &Part, standing: &Standing, waterfall: &mut Waterfall) {
        let id = waterfall.of_object[&part.object];
        let (parent, evidence) = self.parent_span(part, waterfall);
        let mut span = self.blank(id, self.label(part.object), part.start);
        span.parent = Some(parent);
        span.end = part.end.or_else(|| (standing.state != State::Open).then_some(standing.end.max(part.start)));
        span.attributes.push("clew.kind", "object");
        span.attributes.push("clew.evidence", evidence.as_str());
        span.attributes.push("clew.effect", self.effect_word(part));
        self.name_object(part.object, &mut span);
        self.describe_now(part.object, &mut span);
        if part.overtaken {
            span.attributes.push("clew.overtaken", true);
        }
        if part.end.is_none()
            && let Some(reason) = self.memory.object(part.object).progress.reason()
        {
            span.attributes.push("clew.reason", reason.reason.as_str());
            if standing.state != State::Open {
                span.status = Status::error(format!("{}: {}", reason.reason, reason.message));
            }
        }
        self.events(part, &mut span);
        self.link_others(part, &mut span);
        waterfall.edges.push(Edge { journey: self.id, parent, child: Child::Span(id), evidence });
        waterfall.spans.push(span);
    }

    /// The span of the object whose change caused this part; a circle of objects ends at the journey.
    fn parent_span(&self, part: &Part, waterfall: &Waterfall) -> (SpanId, Evidence) {
        let evidence = match self.memory.step(part.first).cause {
            Cause::Step(_, evidence) => evidence,
            Cause::Root(_) | Cause::None => Evidence::Context,
        };
        let earlier = |object: &ObjectId| waterfall.began.get(object).is_some_and(|began| *began <= part.start);
        let parent = self.parent_of(part).filter(earlier);
        let span = parent.and_then(|object| waterfall.of_object.get(&object).copied());
        (span.unwrap_or(waterfall.root), evidence)
    }

    fn effect_word(&self, part: &Part) -> &'static str {
        match self.memory.step(part.first).effect {
            Effect::Created => "create",
            Effect::Deleted => "delete",
            Effect::Changed | Effect::Attached => "change",
            Effect::Reported => "report",
        }
    }

    /// The attributes that name an object, as the semantic conventions have them.
    pub(super) fn name_object(&self, object: ObjectId, span: &mut Span) {
        let record = self.memory.object(object);
        let text = |symbol| self.memory.symbols.text(symbol);
        let kind = text(record.kind).to_ascii_lowercase();
        let attributes = &mut span.attributes;
        if !text(record.namespace).is_empty() {
            attributes.push("k8s.namespace.name", text(record.namespace));
        }
        attributes.push("k8s.resource", text(record.resource));
        if !kind.is_empty() {
            attributes.push(format!("k8s.{kind}.name"), record.name.as_str());
            attributes.push(format!("k8s.{kind}.uid"), record.uid.to_string());
        }
        if let Some(pod) = &record.pod
            && !pod.node.is_empty()
        {
            attributes.push("k8s.node.name", pod.node.as_str());
        }
    }

    /// What its controllers say of an object, and of which version that is.
    fn describe_now(&self, object: ObjectId, span: &mut Span) {
        let record = self.memory.object(object);
        if record.conditions.is_empty() {
            return;
        }
        let lines = record.conditions.lines().map(Value::from).collect();
        span.attributes.push("clew.conditions", Value::Array(lines));
        span.attributes.push("clew.version", i64::try_from(record.version).unwrap_or(i64::MAX));
    }

    fn events(&self, part: &Part, span: &mut Span) {
        let until = part.end.unwrap_or(Time::MAX).saturating_add(1_000_000_000);
        let events = self.memory.object(part.object).events.iter();
        let during = events.filter(|event| event.time >= part.start && event.time <= until);
        for event in during.take(MAX_EVENTS) {
            let mut attributes = clew_model::Attributes::new();
            attributes.push("message", &*event.message);
            attributes.push("source", self.memory.symbols.text(event.source));
            attributes.push("warning", event.warning);
            attributes.push("count", i64::try_from(event.count).unwrap_or(i64::MAX));
            let name = self.memory.symbols.text(event.reason).into();
            span.events.push(SpanEvent { time: event.time, name, attributes });
        }
        span.events.sort_by_key(|event| event.time);
    }

    /// Other journeys' changes that played a part.
    fn link_others(&self, part: &Part, span: &mut Span) {
        let linked = self.memory.step(part.first).links.iter();
        for (journey, object) in linked.filter_map(|id| self.journey_of(*id)).filter(|(journey, _)| *journey != self.id)
        {
            let uid = self.memory.object(object).uid.to_string();
            let mut attributes = clew_model::Attributes::new();
            attributes.push("clew.link", "also caused by");
            span.links.push(clew_model::SpanLink {
                trace_id: journey,
                span_id: ids::object_span(journey, &uid),
                trace_state: compact_str::CompactString::default(),
                attributes,
            });
        }
    }

    fn journey_of(&self, id: StepId) -> Option<(TraceId, ObjectId)> {
        let step = self.memory.find_step(id)?;
        let root = self.memory.root(id)?;
        Some((self.memory.journey_id(&self.config.cluster, root), step.object))
    }

    /// The native traces that work on a pod: before its deletion those of its making, after it those of its end.
    fn pod_segments(&self, part: &Part, waterfall: &mut Waterfall) {
        let record = self.memory.object(part.object);
        if record.pod.is_none() {
            return;
        }
        let deletion = self.memory.deletion_of(part.object).map(|id| self.memory.step(id));
        let made_here =
            self.memory.creation_of(part.object).is_some_and(|id| self.memory.step(id).journey == Some(self.root));
        let ends_here = deletion.is_some_and(|step| step.journey == Some(self.root));
        let parent = waterfall.of_object[&part.object];
        for (trace, start) in self.segments.of_pod(&record.uid) {
            let after_deletion = deletion.is_some_and(|deletion| start >= deletion.time);
            let ours = if after_deletion { ends_here } else { made_here };
            if ours {
                self.attach(trace, parent, Evidence::Identity, waterfall);
            }
        }
    }

    pub(super) fn attach(&self, trace: TraceId, parent: SpanId, evidence: Evidence, waterfall: &mut Waterfall) {
        waterfall.segments.push(trace);
        waterfall.edges.push(Edge { journey: self.id, parent, child: Child::Segment(trace), evidence });
    }

    /// Calls to the container runtime, as the node's proxy saw them.
    fn calls(&self, part: &Part, waterfall: &mut Waterfall) {
        let parent = waterfall.of_object[&part.object];
        let until = part.end.unwrap_or(Time::MAX);
        for call in &self.memory.object(part.object).calls {
            if call.start < part.start || call.start > until {
                continue;
            }
            let mut span = self.blank(call.span, call.method.clone(), call.start);
            span.parent = Some(parent);
            span.end = Some(call.end);
            span.attributes.push("clew.kind", "cri");
            if !call.error.is_empty() {
                span.status = Status::error(&*call.error);
            }
            waterfall.spans.push(span);
        }
    }
}
