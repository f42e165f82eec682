//! One object version, reduced to what the weaver needs of it.

use std::borrow::Cow;
use std::hash::Hasher;

use clew_model::annotation;
use clew_weave::fact::{Kind, Manager, Mark, ObjectState, Owner, Uid};
use clew_weave::{kstatus, mention};
use compact_str::CompactString;
use rustc_hash::FxHasher;
use serde::Deserialize;
use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::endpoints;
use super::json::canonical;
use super::raw::{Metadata, RawObject};
use crate::redact::Redactor;

/// The largest body that diffs are made of; of a larger one only the hash is kept.
const MAX_BODY: usize = 16 * 1024;
/// How many names an object may mention.
const MAX_MENTIONS: usize = 16;
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
    let kind = Kind { kind: raw.kind.as_ref().into(), ..wanted.kind.clone() };
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

fn owners(metadata: &Metadata<'_>) -> SmallVec<[Owner; 1]> {
    let references = metadata.owner_references.iter().flatten();
    references
        .map(|reference| Owner {
            uid: Uid::new(&reference.uid),
            kind: reference.kind.as_ref().into(),
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

/// Fills in the hash of what makes a change, the body for diffs, and the names that are mentioned.
fn content(raw: &RawObject<'_>, kind: &Kind, redactor: &Redactor, state: &mut ObjectState) {
    let owned = state.owners.iter().any(|owner| owner.controller);
    let mut names = Mentions { found: SmallVec::new(), wanted: !owned, custom: is_custom(kind) };
    let mut text = String::with_capacity(512);
    pairs(raw, &mut text, &mut names);
    let head = text.len();
    for (key, value) in &raw.rest {
        text.push_str(&format!(",{key:?}:"));
        let value = secret_free(raw, kind, key, value, redactor);
        canonical(&value, &mut text, &mut |key, value| names.string(key, value));
    }
    text.push('}');
    let mut hasher = FxHasher::default();
    hasher.write(text[head..].as_bytes());
    state.spec = hasher.finish();
    hasher.write(text[..head].as_bytes());
    for finalizer in &state.finalizers {
        hasher.write(finalizer.as_bytes());
    }
    for owner in &state.owners {
        hasher.write(owner.name.as_bytes());
    }
    state.content = hasher.finish();
    state.mentions = names.found;
    let kept = text.len() <= MAX_BODY && !(owned && kind.resource == "pods") && !endpoints::holds(kind);
    state.body = kept.then(|| text.into_boxed_str());
}

fn is_custom(kind: &Kind) -> bool {
    kind.group.contains('.') && !kind.group.ends_with(".k8s.io")
}

/// Labels and annotations as the head of the body, without what says nothing.
fn pairs(raw: &RawObject<'_>, text: &mut String, names: &mut Mentions) {
    let codec = annotation::Codec::default();
    for (field, pairs) in [("labels", &raw.metadata.labels), ("annotations", &raw.metadata.annotations)] {
        text.push_str(if text.is_empty() { "{\"" } else { ",\"" });
        text.push_str(field);
        text.push_str("\":{");
        let mut first = true;
        for (key, value) in pairs.iter().flat_map(|pairs| &pairs.0) {
            if NOISE.contains(&key.as_ref()) || codec.is_context_key(key) {
                continue;
            }
            text.push_str(if first { "" } else { "," });
            first = false;
            text.push_str(&serde_json::to_string(key).unwrap_or_default());
            text.push(':');
            text.push_str(&serde_json::to_string(value).unwrap_or_default());
            names.value(value);
        }
        text.push('}');
    }
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
    found: SmallVec<[u64; 4]>,
    wanted: bool,
    /// Of a custom resource nobody knows which fields are names, so all that look like one count.
    custom: bool,
}

impl Mentions {
    fn string(&mut self, key: &str, text: &str) {
        let names = ["ame", "namespace", "uid", "Ref", "resource"];
        if key == "kind" {
            self.value(&text.to_ascii_lowercase());
        } else if self.custom || names.iter().any(|end| key.ends_with(end)) {
            self.value(text);
        }
    }

    fn value(&mut self, text: &str) {
        if !self.wanted || self.found.len() >= MAX_MENTIONS || !is_name(text) {
            return;
        }
        let hash = mention(text);
        if !self.found.contains(&hash) {
            self.found.push(hash);
        }
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

/// A hash of the pod template, alike for a Deployment and the ReplicaSet that was made from it.
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
    let mut text = String::with_capacity(template.get().len());
    canonical(template.get(), &mut text, &mut |_, _| {});
    let mut hasher = FxHasher::default();
    hasher.write(without_hash_label(&text).as_bytes());
    hasher.finish().max(1)
}

/// The template without the label that the Deployment controller adds for its own use.
fn without_hash_label(text: &str) -> Cow<'_, str> {
    const LABEL: &str = "\"pod-template-hash\":\"";
    let Some(from) = text.find(LABEL) else {
        return Cow::Borrowed(text);
    };
    let value = from + LABEL.len();
    let Some(quote) = text[value..].find('"') else {
        return Cow::Borrowed(text);
    };
    let end = value + quote + 1;
    if text[end..].starts_with(',') {
        return Cow::Owned([&text[..from], &text[end + 1..]].concat());
    }
    Cow::Owned([text[..from].trim_end_matches(','), &text[end..]].concat())
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
        let deployment = r#"{"metadata":{"labels":{"app":"a"}},"spec":{}}"#;
        for set in [
            r#"{"metadata":{"labels":{"app":"a","pod-template-hash":"5d4"}},"spec":{}}"#,
            r#"{"metadata":{"labels":{"pod-template-hash":"5d4","app":"a"}},"spec":{}}"#,
        ] {
            assert_eq!(without_hash_label(set), deployment);
        }
    }
}
