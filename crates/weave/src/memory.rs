//! What the weaver remembers: objects, steps and the indexes over them.

use std::collections::BTreeSet;

use clew_model::Time;
use clew_model::TraceId;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::actor::{Actors, Identity};
use crate::fact::Uid;
use crate::happenings::Review;
use crate::object::{Object, ObjectId};
use crate::step::{Step, StepId};
use crate::symbol::{Symbol, Symbols};

/// How long a chain of owners may be before it counts as a cycle.
pub(crate) const MAX_DEPTH: usize = 32;

/// The steps of one writer, by time.
pub(crate) type Dealings = BTreeSet<(Time, StepId)>;

/// Objects, steps and the indexes over them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Memory {
    pub(crate) symbols: Symbols,
    pub(crate) actors: Actors,
    /// Each on its own, as steps are.
    objects: Vec<Option<Box<Object>>>,
    /// What stands in the place of an object that was forgotten.
    nobody: Object,
    free_objects: Vec<ObjectId>,
    /// Each on its own, so that a forgotten one gives its memory back.
    steps: Vec<Option<Box<Step>>>,
    free_steps: Vec<StepId>,
    by_uid: FxHashMap<Uid, ObjectId>,
    by_name: FxHashMap<(Symbol, Symbol, u64), SmallVec<[ObjectId; 1]>>,
    by_audit: FxHashMap<Uid, SmallVec<[StepId; 1]>>,
    /// Objects by the hash of their name, wherever they are.
    named: FxHashMap<u64, Vec<ObjectId>>,
    /// Objects by what they mention.
    mentioning: FxHashMap<u64, Vec<ObjectId>>,
    /// Steps that named their object without its UID.
    pub(crate) awaiting: FxHashMap<(Symbol, Symbol, u64), Vec<StepId>>,
    /// Names that came to be known, so that those steps may find their object.
    pub(crate) resolvable: Vec<(Symbol, Symbol, u64)>,
    /// The Namespace object of each namespace.
    namespaces: FxHashMap<Symbol, ObjectId>,
    /// The objects of each namespace.
    in_namespace: FxHashMap<Symbol, Vec<ObjectId>>,
    /// Pods by the hash of their UID, as endpoints name them.
    pub(crate) pods_by_uid: FxHashMap<u64, ObjectId>,
    /// The steps of each writer by time, for what it did just before.
    pub(crate) dealings: FxHashMap<Identity, Dealings>,
    /// The steps whose request or object carried a trace context.
    pub(crate) contexts: FxHashMap<TraceId, Vec<StepId>>,
    /// The steps that said which revision was fetched, by its hash.
    pub(crate) revisions: FxHashMap<u64, Vec<StepId>>,
    /// The admission reviews of each name, with their time and the trace of the API server's call.
    pub(crate) reviews: FxHashMap<(Symbol, Symbol, u64), Vec<Review>>,
    /// The traces of commands that clew traces.
    pub(crate) commands: std::collections::VecDeque<TraceId>,
    /// The EndpointSlices and Endpoints of each namespace.
    pub(crate) endpoints: FxHashMap<Symbol, FxHashSet<ObjectId>>,
}

impl Memory {
    pub(crate) fn object(&self, id: ObjectId) -> &Object {
        self.objects[id.0 as usize].as_deref().unwrap_or(&self.nobody)
    }

    pub(crate) fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        self.objects[id.0 as usize].get_or_insert_default()
    }

    pub(crate) fn step(&self, id: StepId) -> &Step {
        self.steps[id.0 as usize].as_deref().expect("a step is forgotten with all that names it")
    }

    pub(crate) fn step_mut(&mut self, id: StepId) -> &mut Step {
        self.steps[id.0 as usize].as_deref_mut().expect("a step is forgotten with all that names it")
    }

    /// The step, unless it was forgotten.
    pub(crate) fn find_step(&self, id: StepId) -> Option<&Step> {
        self.steps.get(id.0 as usize)?.as_deref()
    }

    pub(crate) fn live_objects(&self) -> usize {
        self.by_uid.len()
    }

    /// Audited writes that no journey holds.
    pub(crate) fn unplaced_writes(&self) -> usize {
        let steps = self.steps.iter().flatten();
        steps.filter(|step| step.audit.is_some() && step.journey.is_none()).count()
    }

    pub(crate) fn live_steps(&self) -> usize {
        self.steps.len() - self.free_steps.len()
    }

    /// The object with this UID, made empty if it is new.
    pub(crate) fn intern_object(&mut self, uid: &Uid) -> ObjectId {
        if let Some(id) = self.by_uid.get(uid) {
            return *id;
        }
        let object = Some(Box::new(Object { uid: uid.clone(), ..Object::default() }));
        let id = if let Some(id) = self.free_objects.pop() {
            self.objects[id.0 as usize] = object;
            id
        } else {
            self.objects.push(object);
            ObjectId(u32::try_from(self.objects.len() - 1).unwrap_or(u32::MAX))
        };
        self.by_uid.insert(uid.clone(), id);
        id
    }

    pub(crate) fn find_object(&self, uid: &Uid) -> Option<ObjectId> {
        self.by_uid.get(uid).copied()
    }

    /// Adds a step to its object, in order.
    pub(crate) fn add_step(&mut self, step: Step) -> StepId {
        let id = self.free_steps.pop().unwrap_or_else(|| {
            self.steps.push(None);
            StepId(u32::try_from(self.steps.len() - 1).unwrap_or(u32::MAX))
        });
        if let Some(audit) = &step.audit {
            self.by_audit.entry(audit.clone()).or_default().push(id);
        }
        let object = step.object;
        self.steps[id.0 as usize] = Some(Box::new(step));
        self.file_dealing(id);
        self.file_context(id);
        self.file_revision(id);
        self.object_mut(object).steps.push(id);
        self.sort_steps(object);
        id
    }

    /// Puts an object's steps in order; cheap when the newest came last, as it mostly does.
    pub(crate) fn sort_steps(&mut self, object: ObjectId) {
        let mut steps = std::mem::take(&mut self.object_mut(object).steps);
        let mut at = steps.len().saturating_sub(1);
        while at > 0 && self.later(steps[at - 1], steps[at]) {
            steps.swap(at - 1, at);
            at -= 1;
        }
        self.object_mut(object).steps = steps;
    }

    fn later(&self, one: StepId, other: StepId) -> bool {
        let (one, other) = (self.step(one), self.step(other));
        (one.time, one.version, &one.audit) > (other.time, other.version, &other.audit)
    }

    pub(crate) fn steps_of_audit(&self, audit: &Uid) -> &[StepId] {
        self.by_audit.get(audit).map_or(&[], |steps| steps.as_slice())
    }

    pub(crate) fn note_audit(&mut self, audit: Uid, step: StepId) {
        self.by_audit.entry(audit).or_default().push(step);
    }

    pub(crate) fn drop_audit(&mut self, audit: &Uid, step: StepId) {
        let Some(steps) = self.by_audit.get_mut(audit) else { return };
        steps.retain(|other| *other != step);
        if steps.is_empty() {
            self.by_audit.remove(audit);
            shrink(&mut self.by_audit);
        }
    }

    /// Files an object under its names, once they are known.
    pub(crate) fn file_names(&mut self, id: ObjectId) {
        let object = self.object(id);
        let hash = crate::mention(&object.name);
        let key = (object.resource, object.namespace, hash);
        let (namespace, name) = (object.namespace, object.name.clone());
        let is_namespace = self.symbols.text(object.resource) == "namespaces";
        let has_endpoints = matches!(self.symbols.text(object.resource), "endpointslices" | "endpoints");
        push_new(self.by_name.entry(key).or_default(), id);
        if self.awaiting.contains_key(&key) {
            self.resolvable.push(key);
        }
        self.named.entry(hash).or_default().push(id);
        self.file_namespace(namespace, id);
        if is_namespace {
            let symbol = self.symbols.intern(&name);
            self.namespaces.insert(symbol, id);
        }
        if self.symbols.text(self.object(id).resource) == "pods" {
            let uid = crate::mention(&self.object(id).uid.to_string());
            self.pods_by_uid.insert(uid, id);
        }
        if has_endpoints {
            self.endpoints.entry(namespace).or_default().insert(id);
        }
    }

    /// Files an object under its namespace.
    pub(crate) fn file_namespace(&mut self, namespace: Symbol, id: ObjectId) {
        self.in_namespace.entry(namespace).or_default().push(id);
    }

    /// Files an object under what its newest version mentions, and no more under what only an older one did.
    pub(crate) fn file_mentions(&mut self, id: ObjectId, mentions: &[u64]) {
        if *self.object(id).mentions == *mentions {
            return;
        }
        self.unsettle(id);
        let former = std::mem::take(&mut self.object_mut(id).mentions);
        for mention in former.iter().filter(|mention| !mentions.contains(mention)) {
            drop_from_vec(&mut self.mentioning, *mention, id);
        }
        for mention in mentions.iter().filter(|mention| !former.contains(mention)) {
            self.mentioning.entry(*mention).or_default().push(id);
        }
        self.object_mut(id).mentions = mentions.into();
    }

    /// Has an object's steps explained again: what it is related to has changed.
    pub(crate) fn unsettle(&mut self, id: ObjectId) {
        for step in self.object(id).steps.clone() {
            self.step_mut(step).settled = false;
        }
    }

    /// The objects that had this name, in the order in which they became known.
    pub(crate) fn by_name(&self, resource: Symbol, namespace: Symbol, name: &str) -> &[ObjectId] {
        let key = (resource, namespace, crate::mention(name));
        self.by_name.get(&key).map_or(&[], |objects| objects.as_slice())
    }

    pub(crate) fn by_name_key(&self, key: (Symbol, Symbol, u64)) -> &[ObjectId] {
        self.by_name.get(&key).map_or(&[], |objects| objects.as_slice())
    }

    pub(crate) fn named(&self, hash: u64) -> &[ObjectId] {
        self.named.get(&hash).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn mentioning(&self, hash: u64) -> &[ObjectId] {
        self.mentioning.get(&hash).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn in_namespace(&self, namespace: Symbol) -> &[ObjectId] {
        self.in_namespace.get(&namespace).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn namespace(&self, namespace: Symbol) -> Option<ObjectId> {
        self.namespaces.get(&namespace).copied()
    }

    /// The object and its owners, from itself upwards.
    pub(crate) fn lineage(&self, id: ObjectId) -> impl Iterator<Item = ObjectId> {
        std::iter::successors(Some(id), |id| self.object(*id).owner).take(MAX_DEPTH)
    }

    /// The last of these steps that came before another.
    pub(crate) fn last_before(&self, steps: &[StepId], other: &Step) -> Option<StepId> {
        let earlier = steps.iter().rev().filter(|id| self.step(**id).before(other));
        earlier.copied().reduce(|best, id| if self.step(best).before(self.step(id)) { id } else { best })
    }

    /// The root of the journey that a step is in.
    pub(crate) fn root(&self, id: StepId) -> Option<StepId> {
        let mut at = id;
        for _ in 0..MAX_DEPTH * 2 {
            match self.find_step(at)?.cause {
                crate::step::Cause::None => return None,
                crate::step::Cause::Root(_) => return Some(at),
                crate::step::Cause::Step(next, _) => at = next,
            }
        }
        None
    }

    /// Drops a step and its place in the indexes; its object keeps what it learnt.
    pub(crate) fn forget_step(&mut self, id: StepId) {
        if self.find_step(id).is_none() {
            return;
        }
        self.unfile_context(id);
        self.unfile_revision(id);
        self.unfile_dealing(id);
        let Some(step) = self.steps.get_mut(id.0 as usize).and_then(Option::take) else { return };
        if let Some(audit) = &step.audit {
            self.drop_audit(audit, id);
        }
        if let Some(actor) = step.actor {
            self.actors.forget_habit(actor, id);
        }
        let object = self.object_mut(step.object);
        object.steps.retain(|other| *other != id);
        object.changes.retain(|other| *other != id);
        object.reports.retain(|other| *other != id);
        object.has_said(step.digest.status);
        let above: Vec<ObjectId> = object.owner.map(|owner| self.lineage(owner).collect()).unwrap_or_default();
        for owner in above {
            self.object_mut(owner).disturbances.retain(|other| *other != id);
        }
        self.free_steps.push(id);
    }

    /// Drops an object that is gone and has no steps left.
    pub(crate) fn forget_object(&mut self, id: ObjectId) {
        let Some(object) = self.objects[id.0 as usize].take() else { return };
        self.by_uid.remove(&object.uid);
        let hash = crate::mention(&object.name);
        drop_from(&mut self.by_name, &(object.resource, object.namespace, hash), id);
        drop_from_vec(&mut self.named, hash, id);
        for mention in &object.mentions {
            drop_from_vec(&mut self.mentioning, *mention, id);
        }
        if let Some(set) = self.endpoints.get_mut(&object.namespace) {
            set.remove(&id);
        }
        if let Some(objects) = self.in_namespace.get_mut(&object.namespace) {
            objects.retain(|other| *other != id);
        }
        self.pods_by_uid.remove(&crate::mention(&object.uid.to_string()));
        let name = self.symbols.find(&object.name);
        if name.is_some_and(|name| self.namespaces.get(&name) == Some(&id)) {
            self.namespaces.remove(&name.unwrap_or_default());
        }
        if let Some(owner) = object.owner {
            self.object_mut(owner).children.retain(|child| *child != id);
        }
        for child in &object.children {
            if self.object(*child).owner == Some(id) {
                self.object_mut(*child).owner = None;
            }
        }
        self.free_objects.push(id);
    }
}

/// Gives memory back once most of an index is empty: often enough to matter, seldom enough to cost nothing.
fn shrink<K: Eq + std::hash::Hash, V>(index: &mut FxHashMap<K, V>) {
    const SMALL: usize = 1024;
    if index.capacity() > SMALL && index.len() < index.capacity() / 8 {
        index.shrink_to(index.len() * 2);
    }
}

fn push_new(objects: &mut SmallVec<[ObjectId; 1]>, id: ObjectId) {
    if !objects.contains(&id) {
        objects.push(id);
    }
}

fn drop_from(
    index: &mut FxHashMap<(Symbol, Symbol, u64), SmallVec<[ObjectId; 1]>>,
    key: &(Symbol, Symbol, u64),
    id: ObjectId,
) {
    if let Some(objects) = index.get_mut(key) {
        objects.retain(|other| *other != id);
        if objects.is_empty() {
            index.remove(key);
        }
    }
}

fn drop_from_vec(index: &mut FxHashMap<u64, Vec<ObjectId>>, key: u64, id: ObjectId) {
    if let Some(objects) = index.get_mut(&key) {
        objects.retain(|other| *other != id);
        if objects.is_empty() {
            index.remove(&key);
        }
    }
}
