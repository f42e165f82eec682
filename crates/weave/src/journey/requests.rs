//! The API requests of a journey, each below the object that it wrote.

use clew_model::{Evidence, Span, SpanKind, Status, Value, ids};

use crate::output::{Child, Edge};
use crate::step::{Cause, Step, StepId};

use super::Builder;
use super::waterfall::Waterfall;

/// The HTTP status of a write of a version that is not the newest any more.
const CONFLICT: u16 = 409;

impl Builder<'_> {
    /// Adds a write's span, with its native trace or else what the audit log tells of its parts.
    pub(super) fn request(&self, id: StepId, waterfall: &mut Waterfall) {
        let step = self.memory.step(id);
        let Some(audit) = &step.audit else { return };
        let span_id = ids::write_span(&audit.to_string());
        if waterfall.spans.iter().rev().take(64).any(|span| span.span_id == span_id) {
            return;
        }
        let parent = self.request_parent(step, waterfall);
        let mut span = self.blank(span_id, self.request_name(step), step.time);
        span.parent = Some(parent);
        span.kind = SpanKind::Server;
        span.end = Some(step.done.max(step.time));
        self.describe(step, &mut span);
        let evidence = match step.cause {
            Cause::Step(_, evidence) => evidence,
            Cause::Root(_) | Cause::None => Evidence::Context,
        };
        waterfall.edges.push(Edge { journey: self.id, parent, child: Child::Span(span_id), evidence });
        waterfall.spans.push(span);
        let traces = self.segments.of_audit(audit);
        for trace in &traces {
            self.attach(*trace, span_id, Evidence::Context, waterfall);
        }
        for trace in self.review_traces(step) {
            self.attach(trace, span_id, Evidence::Identity, waterfall);
        }
        if traces.is_empty() {
            self.latencies(step, span_id, waterfall);
        }
    }

    /// What webhooks did for a write: their reviews came while it was served.
    fn review_traces(&self, step: &Step) -> Vec<clew_model::TraceId> {
        let object = self.memory.object(step.object);
        let key = (object.resource, object.namespace, crate::mention(&object.name));
        let reviews = self.memory.reviews.get(&key).into_iter().flatten();
        let during = reviews.filter(|review| (step.time..=step.done).contains(&review.time));
        let traces = during.flat_map(|review| self.segments.of_review(&review.uid).iter().copied().chain(review.trace));
        traces.collect()
    }

    /// The span of the object, or of the object whose change the write hangs on.
    fn request_parent(&self, step: &Step, waterfall: &Waterfall) -> clew_model::SpanId {
        if let Some(span) = waterfall.of_object.get(&step.object) {
            return *span;
        }
        let cause = match step.cause {
            Cause::Step(cause, _) => Some(self.memory.step(cause).object),
            Cause::Root(_) | Cause::None => None,
        };
        cause.and_then(|object| waterfall.of_object.get(&object).copied()).unwrap_or(waterfall.root)
    }

    pub(super) fn request_name(&self, step: &Step) -> String {
        let resource = self.memory.symbols.text(self.memory.object(step.object).resource);
        let subresource = self.memory.symbols.text(step.subresource);
        let slash = if subresource.is_empty() { "" } else { "/" };
        format!("{} {resource}{slash}{subresource}", step.verb.as_str())
    }

    fn describe(&self, step: &Step, span: &mut Span) {
        span.attributes.push("clew.kind", "request");
        if let Some(audit) = &step.audit {
            span.attributes.push("audit-id", audit.to_string());
        }
        if let Cause::Step(_, evidence) = step.cause {
            span.attributes.push("clew.evidence", evidence.as_str());
        }
        if let Some(actor) = step.actor {
            let actor = self.memory.actors.get(actor);
            span.attributes.push("user.name", self.memory.symbols.text(actor.user));
            span.attributes.push("user_agent.original", self.memory.symbols.text(actor.agent));
        }
        self.name_object(step.object, span);
        let diff: Vec<Value> = self.diff(step).iter().map(|field| Value::from(field.to_string())).collect();
        if !diff.is_empty() {
            span.attributes.push("clew.diff", Value::Array(diff));
        }
        if let Some((code, reason)) = step.refused() {
            span.attributes.push("http.response.status_code", i64::from(*code));
            if *code == CONFLICT && self.was_retried(step) {
                // A conflict that was retried is a controller's everyday life, and nobody's error.
                span.attributes.push("clew.retried", true);
            } else {
                span.status = Status::error(format!("{}: {}", reason.reason, reason.message));
            }
        }
    }

    /// Whether the same writer wrote the object after it was rejected.
    fn was_retried(&self, step: &Step) -> bool {
        let Some(actor) = step.actor else { return false };
        let steps = self.memory.object(step.object).steps.iter().rev().map(|id| self.memory.step(*id));
        let mut later = steps.take_while(|other| step.time < other.time);
        later.any(|other| other.version > 0 && other.actor.is_some_and(|other| self.memory.actors.same(actor, other)))
    }

    /// Sub-spans from `apiserver.latency.k8s.io/*`, laid out from the end, where the API server sent no spans.
    fn latencies(&self, step: &Step, parent: clew_model::SpanId, waterfall: &mut Waterfall) {
        let parts = step.extra().map_or(&[][..], |extra| extra.latencies.as_slice());
        for (ordinal, latency) in (0..).zip(parts.iter().filter(|latency| latency.part != "total")) {
            let id = ids::derived_span(parent, &latency.part, ordinal);
            let start = step.done.saturating_sub(latency.nanos).max(step.time);
            let mut span = self.blank(id, latency.part.clone(), start);
            span.parent = Some(parent);
            span.end = Some(start.saturating_add(latency.nanos));
            span.attributes.push("clew.kind", "latency");
            waterfall.spans.push(span);
        }
    }
}
