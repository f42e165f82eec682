//! What people did to which object, and which of it may still be at work at a time.

use std::collections::{BTreeSet, HashMap};

use clew_model::Time;
use serde_json::Value;

use super::objects::Objects;

/// The audit ids of the actions that may have caused a write, and [`TIMER`].
pub(crate) type Causes = BTreeSet<String>;

/// Stands for every root that a timer made.
pub(crate) const TIMER: &str = "timer";

/// How long an action on anything but a Deployment may still be at work after the next one.
const OVERLAP: i64 = 2_000_000_000;

/// Which pods an action can cause.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// None: it changed labels or annotations of an object that makes pods, and not its spec.
    Nothing,
    /// Those of the template that it left behind: it changed that and nothing else.
    Template,
    /// Any: it changed the number of pods, deleted one, or is on an object of an unknown kind.
    Anything,
}

/// One action.
pub(crate) struct Act {
    pub(crate) at: Time,
    pub(crate) id: String,
    /// Whether it deleted the object that it is noted on, not just something below it.
    pub(crate) deletes: bool,
    /// The pod template that it left behind, if the object has one.
    pub(crate) template: Value,
    /// Which pods it can cause.
    pub(crate) reach: Reach,
}

/// All actions so far.
#[derive(Default)]
pub(crate) struct History {
    on_object: HashMap<String, Vec<Act>>,
    on_namespace: HashMap<String, Vec<(String, String)>>,
    done: HashMap<String, Time>,
}

impl History {
    pub(crate) fn note(&mut self, uid: String, act: Act) {
        self.on_object.entry(uid).or_default().push(act);
    }

    pub(crate) fn note_namespace(&mut self, namespace: &str, verb: &str, id: &str) {
        self.on_namespace.entry(namespace.to_owned()).or_default().push((verb.to_owned(), id.to_owned()));
    }

    /// A Deployment's roll-out is complete: what was asked before is done.
    pub(crate) fn complete(&mut self, uid: &str, at: Time) {
        self.done.insert(uid.to_owned(), at);
    }

    pub(crate) fn acts(&self, uid: &str) -> &[Act] {
        self.on_object.get(uid).map_or(&[], Vec::as_slice)
    }

    /// The actions that made the namespace.
    pub(crate) fn made(&self, namespace: &str) -> Causes {
        self.of_namespace(namespace, |verb| verb != "delete")
    }

    /// The actions that deleted the namespace.
    pub(crate) fn gone(&self, namespace: &str) -> Causes {
        self.of_namespace(namespace, |verb| verb == "delete")
    }

    fn of_namespace(&self, namespace: &str, wanted: impl Fn(&str) -> bool) -> Causes {
        let acts = self.on_namespace.get(namespace).into_iter().flatten();
        acts.filter(|(verb, _)| wanted(verb)).map(|(_, id)| id.clone()).collect()
    }

    /// What may be at work on the object: actions on its top and on the top's namesakes, and deletions above that.
    pub(crate) fn at_work(&self, objects: &Objects, uid: &str) -> Causes {
        let top = objects.top(uid);
        let namesakes = objects.namesakes(&top).into_iter().flat_map(|other| self.current(objects, other));
        let above = self.deletions_above(objects, uid);
        self.current(objects, &top).into_iter().chain(namesakes).chain(above).collect()
    }

    /// The last action on the very object, and those before it that may not be done.
    fn current(&self, objects: &Objects, uid: &str) -> Causes {
        let acts = self.acts(uid);
        let Some(last) = acts.last() else { return Causes::new() };
        let is_deployment = objects.get(uid).is_some_and(|known| known.resource == "deployments");
        let since = match (is_deployment, self.done.get(uid)) {
            (true, Some(done)) => *done,
            (true, None) => Time::UNIX_EPOCH,
            (false, _) => last.at.saturating_sub(OVERLAP),
        };
        let current = acts.iter().filter(|act| act.at > since).chain([last]);
        current.map(|act| act.id.clone()).collect()
    }

    /// The actions that deleted an owner of the object: garbage collection is their work and nobody else's.
    pub(crate) fn deletions_above(&self, objects: &Objects, uid: &str) -> Causes {
        let owners = objects.chain(uid).into_iter().skip(1);
        let acts = owners.flat_map(|owner| self.acts(&owner).iter());
        acts.filter(|act| act.deletes).map(|act| act.id.clone()).collect()
    }
}
