//! The rules for what hangs together in another way than by ownership alone: pods, endpoints, addresses, volumes.

use super::audit::{Write, owners, text};
use super::history::{Act, Causes, Reach};
use super::labels::{Labels, namespace};

impl Labels {
    /// A pod's create goes to who shaped its template, its end to who ended it, and the rest to either.
    pub(super) fn pod(&mut self, write: &Write, uid: Option<&str>, below: &str, at_work: Causes) -> Causes {
        if write.is("create", "pods", "") {
            let causes = self.pod_create(write, below, at_work);
            if let Some(uid) = uid {
                self.pod_made.insert(uid.to_owned(), causes.clone());
            }
            return causes;
        }
        let uid = uid.unwrap_or_default().to_owned();
        let made = self.pod_made.get(&uid).cloned().unwrap_or_else(|| at_work.clone());
        if write.verb == "delete" {
            let gone = &at_work | &self.history.gone(namespace(write));
            // Tighter than to allow who made it: the delete of a pod is never the work of its create.
            return self.pod_gone.entry(uid).or_insert(gone).clone();
        }
        self.pod_gone.get(&uid).map_or(made.clone(), |gone| &made | gone)
    }

    /// Tighter than all that is at work: an action causes the pods that it reaches.
    fn pod_create(&self, write: &Write, below: &str, at_work: Causes) -> Causes {
        let owner = owners(&write.request).into_iter().next().unwrap_or_default();
        let Some(template) = self.objects.get(&owner).map(|owner| &owner.spec.template) else { return at_work };
        let cannot = |act: &&Act| match act.reach {
            Reach::Nothing => true,
            Reach::Template => act.template != *template,
            Reach::Anything => false,
        };
        let acts = self.history.acts(&self.objects.top(below)).iter();
        let left = &at_work - &acts.filter(cannot).map(|act| act.id.clone()).collect();
        if left.is_empty() { at_work } else { left }
    }

    /// A token is asked for when its pod starts.
    pub(super) fn token(&self, write: &Write) -> Causes {
        let pod = text(&write.request, "/spec/boundObjectRef/uid");
        self.pod_made.get(pod).cloned().unwrap_or_default()
    }

    /// Tighter than "the last Service anywhere": an `IPAddress` names its Service.
    pub(super) fn address(&self, write: &Write, uid: Option<&str>) -> Causes {
        let known = uid.and_then(|uid| self.objects.get(uid)).and_then(|known| known.names.first());
        let asked =
            ["namespace", "name"].map(|part| text(&write.request, &format!("/spec/parentRef/{part}")).to_owned());
        let (namespace, name) = known.cloned().unwrap_or_else(|| asked.into());
        let service = self.objects.find("services", &namespace, &name);
        let at_work = service.map(|service| self.history.at_work(&self.objects, service)).unwrap_or_default();
        // The address itself is in no namespace, but goes with its Service's.
        &at_work | &self.history.gone(&namespace)
    }

    /// Tighter than "anything in the namespace": a Service's endpoints follow the Service and the pods it selects.
    pub(super) fn endpoints(&self, write: &Write, uid: Option<&str>) -> Causes {
        let label = "kubernetes.io/service-name";
        let known = uid.and_then(|uid| self.objects.get(uid)).and_then(|known| known.labels.get(label));
        let asked = text(&write.request, "/metadata/labels/kubernetes.io~1service-name");
        let named = known.map(String::as_str).or(Some(asked)).filter(|name| !name.is_empty()).unwrap_or(&write.name);
        match self.objects.find("services", &write.namespace, named) {
            Some(service) => self.selected(Some(service)),
            None => self.anything_in(&write.namespace),
        }
    }

    /// What is at work on the object, or on any pod that it selects.
    pub(super) fn selected(&self, uid: Option<&str>) -> Causes {
        let Some((uid, by)) = uid.and_then(|uid| Some((uid, self.objects.get(uid)?))) else { return Causes::new() };
        let mut causes = self.history.at_work(&self.objects, uid);
        for (pod, known) in self.objects.iter().filter(|(_, known)| known.resource == "pods") {
            let is_selected = by.selector.iter().all(|(key, value)| known.labels.get(key) == Some(value));
            if known.namespace == by.namespace && is_selected && !by.selector.is_empty() {
                causes.extend(self.history.at_work(&self.objects, pod));
            }
        }
        causes
    }

    /// A quota counts all that is in its namespace.
    pub(super) fn anything_in(&self, namespace: &str) -> Causes {
        let here = self.objects.iter().filter(|(_, known)| known.namespace == namespace);
        here.flat_map(|(uid, _)| self.history.at_work(&self.objects, uid)).collect()
    }

    /// A volume follows its own actions, and its claim.
    pub(super) fn volume(&self, uid: Option<&str>) -> Causes {
        let Some((uid, known)) = uid.and_then(|uid| Some((uid, self.objects.get(uid)?))) else { return Causes::new() };
        let claim = known.names.first();
        let claim = claim.and_then(|(space, name)| self.objects.find("persistentvolumeclaims", space, name));
        &self.history.at_work(&self.objects, uid) | &self.claim(claim.map(String::as_str))
    }

    /// A claim follows its own actions, the `StatefulSet` whose template it is from, the pods that mount it, and a volume
    /// that was made for it to be bound to.
    pub(super) fn claim(&self, uid: Option<&str>) -> Causes {
        let Some((uid, claim)) = uid.and_then(|uid| Some((uid, self.objects.get(uid)?))) else { return Causes::new() };
        let mut causes = &self.history.at_work(&self.objects, uid) | &self.history.gone(&claim.namespace);
        let mounts = (claim.namespace.clone(), claim.name.clone());
        for (other, known) in self.objects.iter().filter(|(_, known)| known.namespace == claim.namespace) {
            let is_its_set = known.resource == "statefulsets" && is_from_template(&claim.name, &known.name);
            if is_its_set || known.names.contains(&mounts) {
                causes.extend(self.history.at_work(&self.objects, other));
            }
        }
        for (other, known) in self.objects.iter().filter(|(_, known)| known.resource == "persistentvolumes") {
            if known.names.contains(&mounts) {
                causes.extend(self.history.at_work(&self.objects, other));
            }
        }
        causes
    }
}

/// `data-ledger-0` is from a template of `ledger`.
fn is_from_template(claim: &str, set: &str) -> bool {
    let before = claim.rsplit_once('-').filter(|(_, ordinal)| ordinal.parse::<u32>().is_ok());
    before.is_some_and(|(before, _)| before.ends_with(&format!("-{set}")))
}
