//! Which actions may have caused each write, by rules that know Kubernetes and nothing of clew.
//!
//! The rules walk the audit log in order. Where a cause is ambiguous they allow each; where it is not known they allow
//! nothing, and the write is not scored.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::audit::{Recording, Write, owners, text};
use super::history::{Act, Causes, History, Reach, TIMER};
use super::objects::{Maker, Objects, Spec};

/// Users whose requests are never a controller's, whether they are actions or were refused.
const PEOPLE: [&str; 2] = ["alice@example.com", "kubernetes-admin"];

/// The rules' state, and their result.
#[derive(Default)]
pub(crate) struct Labels {
    /// For each write its possible causes; none where the rules do not know.
    pub(crate) expected: HashMap<String, Causes>,
    /// Actions that changed nothing: they may be roots or not.
    pub(crate) idle: BTreeSet<String>,
    pub(super) objects: Objects,
    pub(super) history: History,
    pub(super) pod_made: HashMap<String, Causes>,
    pub(super) pod_gone: HashMap<String, Causes>,
    ticks: HashSet<String>,
    actions: HashSet<String>,
    people: HashSet<String>,
}

impl Labels {
    pub(crate) fn of(recording: &Recording) -> Self {
        let mut labels = Self {
            actions: recording.actions.iter().map(|action| action.id.clone()).collect(),
            people: recording.actions.iter().map(|action| action.user.clone()).collect(),
            ..Self::default()
        };
        labels.people.extend(PEOPLE.map(str::to_owned));
        for (resource, object) in &recording.listed {
            labels.objects.learn(resource, object);
        }
        for write in &recording.writes {
            let causes = labels.label(write);
            labels.expected.insert(write.id.clone(), causes);
        }
        labels
    }

    fn label(&mut self, write: &Write) -> Causes {
        let before = self.spec_before(write);
        let uid = self.objects.of(write);
        self.note_maker(write, uid.as_deref());
        let is_idle = self.left_the_version(write, uid.as_deref());
        if self.actions.contains(&write.id) {
            return self.action(write, uid, is_idle, before.as_ref());
        }
        let bookkeeping = write.resource == "nodes" || write.namespace == "kube-system";
        let own_endpoints = write.user == "system:apiserver" && write.resource == "endpoints";
        if self.people.contains(&write.user) || bookkeeping || own_endpoints {
            return Causes::new();
        }
        let mut causes = self.controller(write, uid.as_deref());
        // What a namespace's deletion takes with it is that deletion's work too, whoever wrote.
        causes.extend(self.history.gone(namespace(write)));
        causes
    }

    /// The spec as it was; none before the create.
    fn spec_before(&self, write: &Write) -> Option<Spec> {
        let uid = self.objects.find(&write.resource, &write.namespace, &write.name)?;
        self.objects.get(uid).filter(|_| write.verb != "create").map(|known| known.spec.clone())
    }

    fn note_maker(&mut self, write: &Write, uid: Option<&str>) {
        let made = write.verb == "create" && write.subresource.is_empty() && !write.refused;
        let maker = if self.actions.contains(&write.id) { Maker::Action } else { Maker::Program };
        if let Some(known) = uid.and_then(|uid| self.objects.get_mut(uid)).filter(|_| made) {
            known.maker = Some(maker);
        }
    }

    fn left_the_version(&mut self, write: &Write, uid: Option<&str>) -> bool {
        let version = write.object().map_or("", |object| text(object, "/metadata/resourceVersion"));
        let Some(known) = uid.and_then(|uid| self.objects.get_mut(uid)).filter(|_| !version.is_empty()) else {
            return false;
        };
        let same = known.version == version;
        version.clone_into(&mut known.version);
        same
    }

    fn action(&mut self, write: &Write, uid: Option<String>, is_idle: bool, before: Option<&Spec>) -> Causes {
        if is_idle {
            self.idle.insert(write.id.clone());
            return Causes::new();
        }
        let itself = Causes::from([write.id.clone()]);
        if write.resource == "namespaces" {
            self.history.note_namespace(&write.name, &write.verb, &write.id);
        }
        let Some(uid) = uid else { return itself };
        if write.is("create", "pods", "") {
            self.pod_made.insert(uid.clone(), itself.clone());
        }
        if write.resource == "pods" && (write.verb == "delete" || write.subresource == "eviction") {
            self.pod_gone.insert(uid.clone(), itself.clone());
        }
        let top = self.objects.top(&uid);
        let after = self.objects.get(&uid).map(|known| known.spec.clone()).unwrap_or_default();
        let act = Act {
            at: write.at,
            id: write.id.clone(),
            deletes: write.verb == "delete" && top == uid,
            reach: reach(write, before, &after),
            template: after.template,
        };
        self.history.note(top, act);
        itself
    }

    fn controller(&mut self, write: &Write, uid: Option<&str>) -> Causes {
        if write.user.ends_with(":namespace-controller") {
            return self.history.gone(namespace(write));
        }
        let of_every_namespace = matches!(write.name.as_str(), "" | "default" | "kube-root-ca.crt");
        match (write.resource.as_str(), write.subresource.as_str()) {
            ("serviceaccounts", "token") => self.token(write),
            ("serviceaccounts" | "configmaps", "") if of_every_namespace => self.history.made(&write.namespace),
            ("ipaddresses", _) => self.address(write, uid),
            ("endpoints" | "endpointslices", _) => self.endpoints(write, uid),
            ("poddisruptionbudgets", "status") => self.selected(uid),
            ("resourcequotas", _) => self.anything_in(&write.namespace),
            ("persistentvolumes", _) => self.volume(uid),
            ("persistentvolumeclaims", _) => self.claim(uid),
            _ => self.owned(write, uid),
        }
    }

    /// Objects whose cause comes down from their owner.
    fn owned(&mut self, write: &Write, uid: Option<&str>) -> Causes {
        let known = uid.filter(|uid| self.objects.get(uid).is_some()).map(str::to_owned);
        // A refused create has no UID yet, but names its owner.
        let Some(below) = known.or_else(|| owners(&write.request).into_iter().next()) else { return Causes::new() };
        let at_work = self.history.at_work(&self.objects, &below);
        if write.is("create", "jobs", "") && write.user.ends_with(":cronjob-controller") {
            self.ticks.extend(uid.map(str::to_owned));
        }
        if write.resource == "cronjobs" {
            return &at_work | &Causes::from([TIMER.to_owned()]);
        }
        let at_work = self.narrowed(write, &below, at_work);
        if write.resource == "pods" {
            return self.pod(write, uid, &below, at_work);
        }
        if write.resource == "deployments" && write.subresource == "status" && is_complete(write) {
            self.history.complete(&self.objects.top(&below), write.at);
        }
        at_work
    }

    /// Leaves out what cannot be: a timer's work is no action's, and collecting garbage is the work of a deletion.
    fn narrowed(&self, write: &Write, below: &str, at_work: Causes) -> Causes {
        let deletions = self.history.deletions_above(&self.objects, below);
        // Tighter than to allow all that is at work: once an owner's deletion was asked for, collecting is its work.
        if write.user.ends_with(":generic-garbage-collector") && write.verb == "delete" && !deletions.is_empty() {
            return deletions;
        }
        if self.objects.chain(below).iter().any(|uid| self.ticks.contains(uid)) {
            return &deletions | &Causes::from([TIMER.to_owned()]);
        }
        at_work
    }
}

/// The namespace that a write is in; a Namespace is in itself.
pub(super) fn namespace(write: &Write) -> &str {
    if write.resource == "namespaces" { &write.name } else { &write.namespace }
}

fn reach(write: &Write, before: Option<&Spec>, after: &Spec) -> Reach {
    let changes = matches!(write.verb.as_str(), "create" | "update" | "patch") && write.subresource.is_empty();
    if !changes || after.template.is_null() {
        return Reach::Anything;
    }
    match before {
        Some(before) if before == after => Reach::Nothing,
        Some(before) if !after.is_reshaped(before) => Reach::Anything,
        _ => Reach::Template,
    }
}

fn is_complete(write: &Write) -> bool {
    let Some(deployment) = write.object().filter(|_| !write.refused) else { return false };
    let number = |place: &str| deployment.pointer(place).and_then(Value::as_u64);
    let wanted = number("/spec/replicas").unwrap_or(1);
    let counts = ["/status/replicas", "/status/updatedReplicas", "/status/availableReplicas"];
    number("/status/observedGeneration") == number("/metadata/generation")
        && counts.iter().all(|place| number(place).unwrap_or(0) == wanted)
}
