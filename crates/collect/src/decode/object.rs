//! One object version, reduced to what the weaver needs of it.

use std::borrow::Cow;

use clew_model::annotation;
use clew_weave::fact::{Kind, Manager, Mark, ObjectState, Owner, Uid};
use clew_weave::{kstatus, mention};
use compact_str::CompactString;
use serde::Deserialize;
use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::conditions;
use super::convention;
use super::endpoints;
use super::hash;
use super::raw::{Metadata, RawObject};
use super::revision;
use crate::redact::Redactor;

/// The largest body that diffs are made of; of a larger one only the hash is kept.
const MAX_BODY: usize = 16 * 1024;
/// How many names an object may mention.
const MAX_MENTIONS: usize = 32;
/// How many strings that look like names are looked at.
const MAX_LOOKED_AT: usize = 1024;
/// How many writers of one object are told apart.
const MAX_MANAGERS: usize = 16;
/// Annotations that say nothing of what was asked for.
const NOISE: [&str; 3] = [
    "kubectl.kubernetes.io/last-applied-configuration",
    "control-plane.alpha.kubernetes.io/leader",
    "deployment.kubernetes.io/revision-history",
];

/// What is to be decoded besides the object itself.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The kind of object, as far as the request or the path tells.
    pub(super) kind: &'a Kind,
    /// Whether the writers in managedFields are wanted.
    pub(super) managers: bool,
}

/// Turns an object into its state.
pub(super) fn state(raw: &RawObject<'_>, wanted: Wanted<'_>, redactor: &Redactor) -> ObjectState {
    let metadata = &raw.metadata;
    // An answer to a client that wants metadata alone has that as its kind.
    let said = if raw.kind == "PartialObjectMetadata" { "" } else { raw.kind.as_ref() };
    let kind = Kind { kind: said.into(), ..wanted.kind.clone() };
    let mut state = ObjectState {
        namespace: metadata.namespace.as_ref().into(),
        name: metadata.name.as_ref().into(),
        uid: Uid::new(&metadata.uid),
        version: metadata.resource_version.parse().unwrap_or(0),
        generation: metadata.generation,
        created: metadata.creation_timestamp,
        deleting: metadata.deletion_timestamp,
        owners: owners(metadata),
        finalizers: metadata.finalizers.iter().flatten().map(|name| name.as_ref().into()).collect(),
        mark: mark(&kind, metadata),
        context: context(metadata),
        status: raw.status.map_or(0, |status| hash::of_report(status.get())),
        managed_by: convention::managers(&kind.resource, metadata),
        revision: if is_custom(&kind) { revision::fetched(raw) } else { None },
        ..ObjectState::default()
    };
    if wanted.managers {
        state.managers = managers(metadata);
    }
    content(raw, &kind, redactor, &mut state);
    progress(raw, &kind, &mut state);
    state.endpoints = endpoints::behind(&kind, raw);
    state.kind = kind;
    state
}

/// The owners that an object or a request names.
pub(super) fn owners(metadata: &Metadata<'_>) -> SmallVec<[Owner; 1]> {
    let references = metadata.owner_references.iter().flatten();
    references
        .map(|reference| Owner {
            uid: Uid::new(&reference.uid),
            kind: reference.kind.as_ref().into(),
            group: reference.api_version.rsplit_once('/').map_or("", |(group, _)| group).into(),
            name: reference.name.as_ref().into(),
            controller: reference.controller == Some(true),
        })
        .collect()
}

fn mark(kind: &Kind, metadata: &Metadata<'_>) -> Option<Mark> {
    if kind.resource != "jobs" {
        return None;
    }
    let annotations = metadata.annotations.as_ref()?;
    if annotations.get("cronjob.kubernetes.io/instantiate").is_some() {
        return Some(Mark::Manual);
    }
    annotations.get("batch.kubernetes.io/cronjob-scheduled-timestamp").map(|_| Mark::Tick)
}

fn context(metadata: &Metadata<'_>) -> Option<clew_model::TraceId> {
    let annotations = metadata.annotations.as_ref()?;
    let found = annotation::Codec::default().read(|key| annotations.get(key)).ok().flatten();
    found.map(|found| found.context.trace_id)
}

/// Fills in the hashes of what makes a change, the body for diffs, and the names that are mentioned.
fn content(raw: &RawObject<'_>, kind: &Kind, redactor: &Redactor, state: &mut ObjectState) {
    let owned = state.owners.iter().any(|owner| owner.controller);
    let custom = is_custom(kind);
    // What a built-in controller makes for an owner is told by that owner.
    let mut names = Mentions { first: Vec::new(), found: Vec::new(), wanted: !owned || custom, custom };
    names.first.extend(state.managed_by.iter().map(|manager| mention(&manager.name)));
    let mut body = Body { text: None };
    // What a controller copies from its owner is told by the owner's diff; its replicas are known without a body.
    let copies = ["pods", "replicasets", "controllerrevisions"];
    let is_copy = (owned && copies.contains(&kind.resource.as_str())) || endpoints::holds(kind);
    if !is_copy {
        body.text = Some(String::with_capacity(512));
    }
    let mut marks = pairs(raw, &mut body, &mut names);
    for (key, value) in &raw.rest {
        let value = secret_free(raw, kind, key, value, redactor);
        let hash = hash::of_json(&value, "", &mut |key, value| names.string(key, value));
        state.spec = state.spec.wrapping_add(hash::of_pair(key, hash));
        body.field(key, &value);
    }
    for finalizer in &state.finalizers {
        marks = marks.wrapping_add(hash::of_pair("finalizer", hash::of_text(finalizer)));
    }
    for owner in &state.owners {
        marks = marks.wrapping_add(hash::of_pair("owner", hash::of_text(&owner.name)));
    }
    state.content = hash::of_pair("content", state.spec ^ marks.rotate_left(1));
    state.mentions = names.finish();
    state.body = body.finish();
}

/// The text that diffs are made of, so long as it is not too long.
struct Body {
    text: Option<String>,
}

impl Body {
    fn field(&mut self, key: &str, json: &str) {
        let Some(text) = &mut self.text else { return };
        if text.len() + json.len() > MAX_BODY {
            self.text = None;
            return;
        }
        text.push(if text.is_empty() { '{' } else { ',' });
        text.push_str(&serde_json::to_string(key).unwrap_or_default());
        text.push(':');
        text.push_str(json);
    }

    fn finish(self) -> Option<Box<str>> {
        let mut text = self.text.filter(|text| !text.is_empty())?;
        text.push('}');
        Some(text.into_boxed_str())
    }
}

fn is_custom(kind: &Kind) -> bool {
    kind.group.contains('.') && !kind.group.ends_with(".k8s.io")
}

/// Labels and annotations, without what says nothing: their hash, and the head of the body.
fn pairs(raw: &RawObject<'_>, body: &mut Body, names: &mut Mentions) -> u64 {
    let codec = annotation::Codec::default();
    let mut hash = 0_u64;
    for (field, pairs) in [("labels", &raw.metadata.labels), ("annotations", &raw.metadata.annotations)] {
        let kept = pairs.iter().flat_map(|pairs| &pairs.0);
        let kept = kept.filter(|(key, _)| !NOISE.contains(&key.as_ref()) && !codec.is_context_key(key));
        let mut map = serde_json::Map::new();
        for (key, value) in kept {
            let pair = hash::of_pair(key, hash::of_text(value));
            hash = hash.wrapping_add(hash::of_pair(field, pair));
            names.value(value);
            if body.text.is_some() {
                map.insert(key.to_string(), serde_json::Value::from(value.as_ref()));
            }
        }
        if !map.is_empty() {
            body.field(field, &serde_json::Value::Object(map).to_string());
        }
    }
    hash
}

/// A Secret's values leave this place only as keyed hashes.
fn secret_free<'a>(
    raw: &RawObject<'_>,
    kind: &Kind,
    key: &str,
    value: &'a RawValue,
    redactor: &Redactor,
) -> Cow<'a, str> {
    if kind.resource != "secrets" && raw.kind != "Secret" {
        return Cow::Borrowed(value.get());
    }
    let whole = format!("{{{key:?}:{}}}", value.get());
    let hashed = redactor.object("secrets", &whole).unwrap_or_default();
    let from = hashed.find(':').map_or(hashed.len(), |colon| colon + 1);
    Cow::Owned(hashed.get(from..hashed.len().saturating_sub(1)).unwrap_or_default().to_owned())
}

/// The names that an object mentions: what a controller may have made it from, or will make from it.
struct Mentions {
    /// Those that stand where a reference stands: they are kept first.
    first: Vec<u64>,
    found: Vec<u64>,
    wanted: bool,
    /// Of a custom resource nobody knows which fields are names, so all that look like one count.
    custom: bool,
}

impl Mentions {
    fn string(&mut self, key: &str, text: &str) {
        let names = ["ame", "namespace", "uid", "Ref", "resource"];
        if key == "kind" {
            self.reference(&text.to_ascii_lowercase());
        } else if names.iter().any(|end| key.ends_with(end)) {
            self.reference(text);
        } else if self.custom {
            self.value(text);
        }
    }

    fn reference(&mut self, text: &str) {
        if self.wanted && self.first.len() < MAX_LOOKED_AT && is_name(text) {
            self.first.push(mention(text));
        }
    }

    fn value(&mut self, text: &str) {
        if self.wanted && self.found.len() < MAX_LOOKED_AT && is_name(text) {
            self.found.push(mention(text));
        }
    }

    /// The same ones whatever the order in which they were met.
    fn finish(mut self) -> SmallVec<[u64; 4]> {
        for found in [&mut self.first, &mut self.found] {
            found.sort_unstable();
            found.dedup();
        }
        self.found.retain(|mention| self.first.binary_search(mention).is_err());
        self.first.into_iter().chain(self.found).take(MAX_MENTIONS).collect()
    }
}

fn is_name(text: &str) -> bool {
    let letters = text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'));
    letters && (2..=63).contains(&text.len())
}

fn progress(raw: &RawObject<'_>, kind: &Kind, state: &mut ObjectState) {
    let spec: kstatus::SpecView = part(raw.field("spec"));
    let status: kstatus::StatusView = raw.status.map_or_else(Default::default, status_view);
    let subject = kstatus::Subject { kind, generation: state.generation, deleting: state.deleting.is_some() };
    state.progress = kstatus::assess(subject, &spec, &status);
    state.concluded = kstatus::concludes(&status);
    state.conditions = conditions::bounded(&status);
    state.replicas = spec.replicas.or(spec.parallelism);
    state.template = raw.field("spec").map_or(0, template);
    if kind.group.is_empty() && kind.resource == "pods" {
        state.pod = Some(Box::new(kstatus::pod(spec.node_name.unwrap_or_default(), &status)));
    }
}

/// A part in our view of it; what a custom resource has in another form counts as absent.
fn part<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// A custom status may reuse a field's name in another form; then its conditions still count.
fn status_view(raw: &RawValue) -> kstatus::StatusView {
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Conditions {
        observed_generation: Option<i64>,
        conditions: Vec<kstatus::ConditionView>,
    }
    serde_json::from_str(raw.get()).unwrap_or_else(|_| {
        let found: Conditions = part(Some(raw));
        kstatus::StatusView {
            observed_generation: found.observed_generation,
            conditions: found.conditions,
            ..Default::default()
        }
    })
}

/// A hash of the pod template, without the label that the Deployment controller adds for its own use.
fn template(spec: &RawValue) -> u64 {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Templated<'a> {
        #[serde(borrow)]
        template: Option<&'a RawValue>,
    }
    let Some(template) = part::<Templated<'_>>(Some(spec)).template else {
        return 0;
    };
    hash::of_template(template.get()).max(1)
}

/// All that the object tells of who wrote it, and when.
fn managers(metadata: &Metadata<'_>) -> SmallVec<[Manager; 2]> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Field<'a> {
        #[serde(borrow)]
        manager: Cow<'a, str>,
        #[serde(borrow)]
        subresource: Cow<'a, str>,
        time: Option<clew_model::Time>,
    }
    let fields: Vec<Field<'_>> = part(metadata.managed_fields);
    let known = fields.iter().filter(|field| field.time.is_some()).take(MAX_MANAGERS);
    known
        .map(|field| Manager {
            name: CompactString::from(field.manager.as_ref()),
            subresource: CompactString::from(field.subresource.as_ref()),
            time: field.time.unwrap_or_default(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replica_sets_template_hashes_like_its_deployments() {
        let raw = |json: &str| RawValue::from_string(json.to_owned()).unwrap();
        let deployment = raw(r#"{"template":{"metadata":{"labels":{"app":"a"}},"spec":{}}}"#);
        let set = raw(r#"{"template":{"spec":{},"metadata":{"labels":{"app":"a","pod-template-hash":"5d4"}}}}"#);
        assert_eq!(template(&deployment), template(&set));
    }
}
