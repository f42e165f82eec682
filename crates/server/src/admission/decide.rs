//! Which trace context an object gets, if any. Pure: the same request always gets the same answer.

use clew_model::annotation::Codec;
use clew_model::ids::{self, ChangeKey};
use clew_model::{SpanId, TraceContext};
use compact_str::CompactString;
use serde_json::Value;

use super::{annotations, change};

/// Resources that no journey is made of, or that are written too often to be touched.
const NEVER: [(&str, &str); 6] = [
    ("", "events"),
    ("events.k8s.io", "events"),
    ("coordination.k8s.io", "leases"),
    ("", "bindings"),
    ("", "nodes"),
    ("discovery.k8s.io", "endpointslices"),
];

/// How the webhook stamps.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The cluster, which new contexts depend on.
    pub cluster: CompactString,
    /// The annotation that is written, and those that are read.
    pub codec: Codec,
    /// Whether pod templates are stamped, too, so that pods carry the context of what asked for them.
    pub templates: bool,
}

/// What the API server wants to do to the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Make it.
    Create,
    /// Alter it.
    Update,
    /// Anything else: nothing to stamp.
    Other,
}

/// A request that is to be admitted.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// What is to be done.
    pub operation: Operation,
    /// The API group of the resource.
    pub group: &'a str,
    /// The resource.
    pub resource: &'a str,
    /// The subresource, if the request is for one.
    pub subresource: &'a str,
    /// The id of the review, for an object that has no UID yet.
    pub review: &'a str,
    /// The object as it would be.
    pub object: &'a Value,
    /// The object as it is; null for one that is to be made.
    pub old: &'a Value,
    /// The trace of the API server's call.
    pub caller: Option<&'a TraceContext>,
}

/// Where a context comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The API server's own trace.
    Caller,
    /// The object that owns this one.
    Owner,
    /// Nowhere: it begins here.
    New,
}

/// Why an object is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// No journey is made of it.
    Unselected,
    /// It is a status or another subresource.
    Subresource,
    /// Nothing else is asked for than before.
    NoChange,
    /// It is being deleted.
    Deleting,
    /// Whoever asks has set a context for this change.
    RequesterSet,
}

/// A context to write, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The context.
    pub context: TraceContext,
    /// Where it comes from.
    pub origin: Origin,
    /// The path of the pod template that gets one, too, and which.
    pub template: Option<(&'static str, String)>,
}

/// What is done with an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It is left as it is.
    Leave(Why),
    /// It gets a context.
    Stamp(Stamp),
}

impl Origin {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Owner => "owner",
            Self::New => "new",
        }
    }
}

/// Decides on one request; `owner` knows the context of an object by a reference to it.
pub fn decide(settings: &Settings, asked: &Asked<'_>, owner: impl Fn(&Value) -> Option<TraceContext>) -> Decision {
    if let Some(why) = leave(settings, asked) {
        return Decision::Leave(why);
    }
    let reference = controller(asked.object);
    let caller = asked.caller.filter(|context| context.is_sampled() && context.is_valid());
    let (context, origin) = match (caller, reference.and_then(owner)) {
        (Some(caller), _) => (caller.clone(), Origin::Caller),
        (None, Some(owner)) => (owner, Origin::Owner),
        (None, None) => (new_context(settings, asked), Origin::New),
    };
    let template = template(settings, asked, &context, reference.is_some());
    Decision::Stamp(Stamp { context, origin, template })
}

fn leave(settings: &Settings, asked: &Asked<'_>) -> Option<Why> {
    let Asked { object, old, .. } = *asked;
    if !asked.subresource.is_empty() {
        return Some(Why::Subresource);
    }
    let is_whole = object.get("metadata").is_some_and(Value::is_object);
    if asked.operation == Operation::Other || !is_whole || NEVER.contains(&(asked.group, asked.resource)) {
        return Some(Why::Unselected);
    }
    if object.pointer("/metadata/deletionTimestamp").is_some_and(|time| !time.is_null()) {
        return Some(Why::Deleting);
    }
    if asked.operation == Operation::Update && !change::asks_for_more(old, object) {
        return Some(Why::NoChange);
    }
    let (now, before) = (annotations::context(&settings.codec, object), annotations::context(&settings.codec, old));
    // Also true of what this webhook set itself, when it is asked again: the answer is stable.
    (now.is_some() && now != before).then_some(Why::RequesterSet)
}

/// The reference to the object that manages this one.
fn controller(object: &Value) -> Option<&Value> {
    let owners = object.pointer("/metadata/ownerReferences")?.as_array()?;
    let manages = |owner: &&Value| owner.get("controller") == Some(&Value::Bool(true));
    owners.iter().find(manages).or(owners.first())
}

/// A context that only depends on the object and its version.
fn new_context(settings: &Settings, asked: &Asked<'_>) -> TraceContext {
    let uid = asked.object.pointer("/metadata/uid").and_then(Value::as_str).unwrap_or(asked.review);
    let version = asked.old.pointer("/metadata/resourceVersion").and_then(Value::as_str);
    let change = version.map_or(ChangeKey::Generation(1), ChangeKey::Version);
    let trace = ids::journey(&settings.cluster, uid, change);
    let span: SpanId = ids::object_span(trace, uid);
    TraceContext::new(trace, span, TraceContext::SAMPLED)
}

/// What a pod template gets.
///
/// A template's annotation is a part of what is rolled out: a new one only comes with a template that is new anyway,
/// and one that a replacement left out is put back. What a controller copies from its owner is never touched.
fn template(
    settings: &Settings,
    asked: &Asked<'_>,
    context: &TraceContext,
    is_owned: bool,
) -> Option<(&'static str, String)> {
    if !settings.templates || is_owned {
        return None;
    }
    let codec = &settings.codec;
    let (path, new) = annotations::template(asked.object)?;
    let old = asked.old.pointer(path).unwrap_or(&Value::Null);
    let (now, before) = (annotations::context(codec, new), annotations::context(codec, old));
    if old.is_object() && change::is_same_template(codec, old, new) {
        let lost = before.filter(|_| now.is_none())?;
        return Some((path, lost.traceparent()));
    }
    if now.is_some() && now != before {
        return None;
    }
    Some((path, context.traceparent()))
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
