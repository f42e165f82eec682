//! The objects that the audit log shows, and who owns whom.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::audit::{Write, owners, text};

pub(crate) type Labels = BTreeMap<String, String>;

/// The spec of an object that makes pods: their template, and all the rest.
#[derive(Default, Clone, PartialEq)]
pub(crate) struct Spec {
    /// Without the hash that the Deployment controller adds, so that a `ReplicaSet`'s is its Deployment's.
    pub(crate) template: Value,
    rest: Value,
}

impl Spec {
    fn of(object: &Value) -> Option<Self> {
        let mut rest = object.get("spec")?.clone();
        let mut template = rest.get_mut("template")?.take();
        if let Some(labels) = template.pointer_mut("/metadata/labels").and_then(Value::as_object_mut) {
            labels.remove("pod-template-hash");
        }
        Some(Self { template, rest })
    }

    /// Whether nothing but the template differs.
    pub(crate) fn is_reshaped(&self, before: &Self) -> bool {
        self.rest == before.rest && self.template != before.template
    }
}

/// Who made an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    /// An action: what the object causes is that action's and not its owner's.
    Action,
    /// A controller or an operator.
    Program,
}

/// What is known of an object.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) resource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) owners: Vec<String>,
    pub(crate) labels: Labels,
    /// Whom it stands for: a Service's pods, a `PodDisruptionBudget`'s.
    pub(crate) selector: Labels,
    /// Whom it names: an `IPAddress` its Service, a volume its claim, a pod the claims that it mounts.
    pub(crate) names: Vec<(String, String)>,
    pub(crate) version: String,
    pub(crate) spec: Spec,
    /// Who made it, if that was seen.
    pub(crate) maker: Option<Maker>,
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
        if let Some(spec) = Spec::of(object) {
            known.spec = spec;
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

    /// Objects of another kind with the same name and namespace as one that an operator made without an owner: what it
    /// made that one from, as far as the audit log can tell.
    pub(crate) fn namesakes(&self, uid: &str) -> Vec<&String> {
        let Some(known) = self.get(uid).filter(|known| known.maker == Some(Maker::Program)) else { return Vec::new() };
        let alike = |other: &(String, String, String)| {
            other.0 != known.resource && other.1 == known.namespace && other.2 == known.name
        };
        self.by_name.iter().filter(|(key, _)| alike(key)).map(|(_, uid)| uid).collect()
    }

    /// The topmost owner below or at an object that an action made.
    pub(crate) fn top(&self, uid: &str) -> String {
        let chain = self.chain(uid);
        let made = chain.iter().find(|uid| self.get(uid).is_some_and(|known| known.maker == Some(Maker::Action)));
        made.or(chain.last()).cloned().unwrap_or_default()
    }
}

fn fill<T>(known: &mut Vec<T>, new: Vec<T>) {
    if !new.is_empty() {
        *known = new;
    }
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
