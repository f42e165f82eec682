//! The objects that the audit log shows, and who owns whom.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::audit::{Write, owners, text};

pub(crate) type Labels = BTreeMap<String, String>;

/// What is known of an object.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) resource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) owners: Vec<String>,
    pub(crate) labels: Labels,
    /// Whom it stands for: a Service's pods, a PodDisruptionBudget's.
    pub(crate) selector: Labels,
    /// Whom it names: an `IPAddress` its Service, a volume its claim, a pod the claims that it mounts.
    pub(crate) names: Vec<(String, String)>,
    pub(crate) version: String,
    /// The pod template without the hash that the Deployment controller adds, and the number of pods.
    pub(crate) template: Value,
    pub(crate) replicas: Option<u64>,
    /// Whether an action made it, so that what it causes is that action's and not its owner's.
    pub(crate) made_by_action: bool,
}

/// Every object seen so far.
#[derive(Default)]
pub(crate) struct Objects {
    by_uid: HashMap<String, Known>,
    by_name: HashMap<(String, String, String), String>,
}

impl Objects {
    pub(crate) fn get(&self, uid: &str) -> Option<&Known> {
        self.by_uid.get(uid)
    }

    pub(crate) fn get_mut(&mut self, uid: &str) -> Option<&mut Known> {
        self.by_uid.get_mut(uid)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Known)> {
        self.by_uid.iter()
    }

    pub(crate) fn find(&self, resource: &str, namespace: &str, name: &str) -> Option<&String> {
        self.by_name.get(&(resource.to_owned(), namespace.to_owned(), name.to_owned()))
    }

    /// Takes what a version of the object tells; gives its UID.
    pub(crate) fn learn(&mut self, resource: &str, object: &Value) -> Option<String> {
        let uid = text(object, "/metadata/uid");
        if uid.is_empty() {
            return None;
        }
        let (namespace, name) = (text(object, "/metadata/namespace"), text(object, "/metadata/name"));
        let key = (resource.to_owned(), namespace.to_owned(), name.to_owned());
        self.by_name.insert(key, uid.to_owned());
        let known = self.by_uid.entry(uid.to_owned()).or_default();
        resource.clone_into(&mut known.resource);
        namespace.clone_into(&mut known.namespace);
        name.clone_into(&mut known.name);
        fill(&mut known.owners, owners(object));
        fill(&mut known.names, named(resource, object));
        if let Some(template) = object.pointer("/spec/template") {
            known.template = without_hash(template);
            known.replicas = object.pointer("/spec/replicas").and_then(Value::as_u64);
        }
        for (place, labels) in [("/metadata/labels", &mut known.labels), (selector(resource), &mut known.selector)] {
            let new = map(object, place);
            if !new.is_empty() {
                *labels = new;
            }
        }
        Some(uid.to_owned())
    }

    /// The object that a write is about, learnt from the answer where it holds the object.
    pub(crate) fn of(&mut self, write: &Write) -> Option<String> {
        let whole = matches!(write.subresource.as_str(), "" | "status") && write.verb != "deletecollection";
        if let Some(uid) = write.object().filter(|_| whole).and_then(|object| self.learn(&write.resource, object)) {
            return Some(uid);
        }
        if !write.uid.is_empty() {
            return Some(write.uid.clone());
        }
        self.find(&write.resource, &write.namespace, &write.name).cloned()
    }

    /// The object and its owners, upwards.
    pub(crate) fn chain(&self, uid: &str) -> Vec<String> {
        let (mut chain, mut seen) = (vec![uid.to_owned()], HashSet::from([uid.to_owned()]));
        let mut at = uid.to_owned();
        while let Some(owner) = self.get(&at).and_then(|known| known.owners.first()) {
            if !self.by_uid.contains_key(owner) || !seen.insert(owner.clone()) {
                break;
            }
            at.clone_from(owner);
            chain.push(at.clone());
        }
        chain
    }

    /// The topmost owner below or at an object that an action made.
    pub(crate) fn top(&self, uid: &str) -> String {
        let chain = self.chain(uid);
        let made = chain.iter().find(|uid| self.get(uid).is_some_and(|known| known.made_by_action));
        made.or(chain.last()).cloned().unwrap_or_default()
    }
}

fn fill<T>(known: &mut Vec<T>, new: Vec<T>) {
    if !new.is_empty() {
        *known = new;
    }
}

fn without_hash(template: &Value) -> Value {
    let mut template = template.clone();
    if let Some(labels) = template.pointer_mut("/metadata/labels").and_then(Value::as_object_mut) {
        labels.remove("pod-template-hash");
    }
    template
}

fn selector(resource: &str) -> &'static str {
    if resource == "services" { "/spec/selector" } else { "/spec/selector/matchLabels" }
}

fn map(object: &Value, place: &str) -> Labels {
    let found = object.pointer(place).and_then(Value::as_object);
    let pair = |(key, value): (&String, &Value)| Some((key.clone(), value.as_str()?.to_owned()));
    found.into_iter().flatten().filter_map(pair).collect()
}

fn named(resource: &str, object: &Value) -> Vec<(String, String)> {
    let one = |place: &str| (text(object, &format!("{place}/namespace")), text(object, &format!("{place}/name")));
    let found = match resource {
        "ipaddresses" => vec![one("/spec/parentRef")],
        "persistentvolumes" => vec![one("/spec/claimRef")],
        "pods" => mounted(object),
        _ => Vec::new(),
    };
    let named = found.into_iter().filter(|(_, name)| !name.is_empty());
    named.map(|(namespace, name)| (namespace.to_owned(), name.to_owned())).collect()
}

fn mounted(pod: &Value) -> Vec<(&str, &str)> {
    let namespace = text(pod, "/metadata/namespace");
    let volumes = pod.pointer("/spec/volumes").and_then(Value::as_array);
    volumes.into_iter().flatten().map(|volume| (namespace, text(volume, "/persistentVolumeClaim/claimName"))).collect()
}
