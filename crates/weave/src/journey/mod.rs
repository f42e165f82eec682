//! A journey from its steps: how it stands, its waterfall, and what decided its duration.

mod critical;
mod findings;
mod gaps;
mod part;
mod phases;
mod requests;
mod standing;
mod waterfall;

use std::sync::Arc;

use clew_model::{Attributes, CommandId, Time, TraceId, ids};
use compact_str::CompactString;

use crate::config::Config;
use crate::diff;
use crate::fact::Revision;
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::output::{Edge, FieldDiff, Journey, JourneyObject, Root};
use crate::segment::Segments;
use crate::step::{Cause, Effect, RootKind, Step, StepId};

pub use critical::critical_spans;
use part::Part;

/// A journey and what goes with it.
pub(crate) struct Built {
    pub(crate) journey: Journey,
    pub(crate) spans: Vec<clew_model::Span>,
    pub(crate) edges: Vec<Edge>,
}

/// What a journey is built from.
pub(crate) struct Builder<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) segments: &'a Segments,
    pub(crate) config: &'a Config,
    pub(crate) now: Time,
    pub(crate) resource: Arc<Attributes>,
    pub(crate) root: StepId,
    pub(crate) id: TraceId,
    /// The steps in the order of time.
    pub(crate) steps: Vec<StepId>,
    pub(crate) command: Option<CommandId>,
}

impl Builder<'_> {
    pub(crate) fn build(mut self) -> Built {
        let memory = self.memory;
        self.steps.sort_by(|one, other| {
            let (one, other) = (memory.step(*one), memory.step(*other));
            let uids = (&memory.object(one.object).uid, &memory.object(other.object).uid);
            (one.time, one.version, &one.audit, uids.0).cmp(&(other.time, other.version, &other.audit, uids.1))
        });
        let parts = self.parts();
        let standing = self.standing(&parts);
        let root = memory.step(self.root);
        let mut waterfall = self.waterfall(&parts, &standing);
        let critical_path = self.critical_path(&mut waterfall, &standing);
        let mut writes: Vec<_> = self.steps.iter().filter_map(|id| memory.step(*id).audit.clone()).collect();
        writes.dedup();
        let journey = Journey {
            journey: self.id,
            root: self.root_of(root),
            command: self.command,
            state: standing.state,
            waiting_on: standing.waiting_on,
            start: root.time,
            end: standing.end,
            writes,
            objects: parts.iter().map(|part| self.journey_object(part.object)).collect(),
            spans: waterfall.spans.len(),
            segments: waterfall.segments,
            critical_path,
            findings: self.findings(),
            diff: self.root_diff(&parts),
        };
        Built { journey, spans: waterfall.spans, edges: waterfall.edges }
    }

    fn root_of(&self, step: &Step) -> Root {
        let object = self.memory.object(step.object);
        let text = |symbol| CompactString::from(self.memory.symbols.text(symbol));
        let actor = step.actor.map(|actor| self.memory.actors.get(actor));
        let kind = match step.cause {
            Cause::Root(kind) => kind,
            Cause::None | Cause::Step(..) => RootKind::External,
        };
        Root {
            audit: step.audit.clone(),
            verb: verb(step).into(),
            resource: text(object.resource),
            subresource: text(step.subresource),
            namespace: text(object.namespace),
            name: object.name.clone(),
            user: actor.map(|actor| text(actor.user)).unwrap_or_default(),
            agent: actor.map(|actor| text(actor.agent)).unwrap_or_default(),
            kind,
            revision: self.revision().cloned(),
        }
    }

    /// What a controller fetched, if that began the journey: it may say first that there is something new, then what.
    fn revision(&self) -> Option<&Revision> {
        let root = self.memory.step(self.root);
        if root.cause != Cause::Root(RootKind::External) {
            return None;
        }
        let steps = self.steps.iter().map(|id| self.memory.step(*id));
        steps.filter(|step| step.object == root.object).find_map(|step| self.memory.fetched(step))
    }

    /// What the root changed. A commit is no write: it changed what was applied because of it.
    fn root_diff(&self, parts: &[Part]) -> Vec<FieldDiff> {
        if self.revision().is_none() {
            return self.diff(self.memory.step(self.root));
        }
        let applied = parts.iter().filter(|part| self.memory.object(part.object).owner.is_none());
        let fields = applied.flat_map(|part| {
            let label = self.label(part.object);
            let fields = self.diff(self.memory.step(part.first));
            fields.into_iter().map(move |field| FieldDiff { path: format!("{label} {}", field.path), ..field })
        });
        fields.take(diff::MAX_FIELDS).collect()
    }

    fn journey_object(&self, id: ObjectId) -> JourneyObject {
        let object = self.memory.object(id);
        let kind = self.memory.symbols.text(object.kind);
        JourneyObject {
            uid: object.uid.clone(),
            kind: if kind.is_empty() { self.memory.symbols.text(object.resource) } else { kind }.into(),
            namespace: self.memory.symbols.text(object.namespace).into(),
            name: object.name.clone(),
        }
    }

    /// `Deployment shop/web`.
    fn label(&self, id: ObjectId) -> CompactString {
        let JourneyObject { kind, namespace, name, .. } = self.journey_object(id);
        let text = if namespace.is_empty() { format!("{kind} {name}") } else { format!("{kind} {namespace}/{name}") };
        text.into()
    }

    /// What a change changed, from the bodies of its version and the one before.
    fn diff(&self, step: &Step) -> Vec<FieldDiff> {
        if step.effect != Effect::Changed {
            return Vec::new();
        }
        let object = self.memory.object(step.object);
        let steps = object.steps.iter().map(|id| self.memory.step(*id));
        let former = steps.filter(|other| other.version > 0 && other.version < step.version);
        let former = former.max_by_key(|other| other.version);
        let body = |content: Option<u64>| {
            let found = object.bodies.iter().find(|body| Some(body.content) == content);
            found.map(|body| &*body.text)
        };
        let before = former.and_then(|former| former.digest.content);
        match (body(before), body(step.digest.content)) {
            (Some(before), Some(after)) => diff::between(Some(before), Some(after)),
            _ => replicas_diff(former, step).into_iter().collect(),
        }
    }
}

impl Memory {
    /// The trace id of the journey that a root began.
    pub(crate) fn journey_id(&self, cluster: &str, root: StepId) -> TraceId {
        let step = self.step(root);
        let uid = self.object(step.object).uid.to_string();
        if step.effect == Effect::Deleted {
            return ids::journey(cluster, &uid, ids::ChangeKey::Delete);
        }
        ids::journey(cluster, &uid, ids::ChangeKey::Version(&step.version.to_string()))
    }
}

/// What is known of a change whose bodies are not: that it scaled.
fn replicas_diff(former: Option<&Step>, step: &Step) -> Option<FieldDiff> {
    let before = former.and_then(|former| former.digest.replicas);
    let after = step.digest.replicas.filter(|after| before != Some(*after))?;
    let before = before.map(|replicas| replicas.to_string());
    Some(FieldDiff { path: "spec.replicas".into(), before, after: Some(after.to_string()) })
}

/// The verb of a change; the watch sees what became of it, not how it was asked.
fn verb(step: &Step) -> &'static str {
    match step.effect {
        Effect::Deleted if step.audit.is_none() => "delete",
        // An apply of what was not there created it.
        Effect::Created => "create",
        _ => step.verb.as_str(),
    }
}
