//! What a version tells of its object: its names, its owner, its newest state, and who reconciles its kind.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::actor::ActorId;
use crate::fact::{self, ObjectState, Write};
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::ManagerMark;
use crate::symbol::Symbol;

impl Memory {
    /// Learns an object's names and newest state.
    pub(crate) fn learn(&mut self, state: &ObjectState) -> ObjectId {
        let id = self.intern_object(&state.uid);
        let first = self.object(id).name.is_empty();
        if first {
            let names = self.names(state);
            let object = self.object_mut(id);
            (object.resource, object.kind, object.namespace) = names;
            object.name.clone_from(&state.name);
            object.mark = state.mark;
            object.custom = is_custom(&state.kind.group);
            object.created = state.created;
            self.file_names(id);
        } else if self.object(id).kind == Symbol::default() && !state.kind.kind.is_empty() {
            self.object_mut(id).kind = self.symbols.intern(&state.kind.kind);
        }
        if self.object(id).custom != is_custom(&state.kind.group) && !state.kind.group.is_empty() {
            self.object_mut(id).custom = is_custom(&state.kind.group);
        }
        self.learn_owner(id, state);
        if let Some(body) = &state.body {
            self.object_mut(id).keep_body(state.version, state.content, body);
        }
        if state.version >= self.object(id).version {
            self.file_mentions(id, &state.mentions);
            self.learn_managers(id, state);
            let object = self.object_mut(id);
            object.version = state.version;
            object.progress = state.progress.clone();
            object.conditions = lines(&state.conditions);
            object.pod.clone_from(&state.pod);
            object.finalizers.clone_from(&state.finalizers);
            object.mark = state.mark.or(object.mark);
        }
        id
    }

    fn names(&mut self, state: &ObjectState) -> (Symbol, Symbol, Symbol) {
        let symbols = &mut self.symbols;
        (symbols.intern(&state.kind.resource), symbols.intern(&state.kind.kind), symbols.intern(&state.namespace))
    }

    fn learn_owner(&mut self, id: ObjectId, state: &ObjectState) {
        let Some(reference) = state.controller() else { return };
        let owner = self.intern_object(&reference.uid);
        let known = (self.object(id).owner_version, self.object(id).owner.map(|owner| self.object(owner).uid.clone()));
        // The newest version that names an owner tells, whichever came first.
        if owner == id || (state.version, Some(reference.uid.clone())) < known {
            return;
        }
        self.object_mut(id).owner_version = state.version;
        if self.object(id).owner == Some(owner) {
            return;
        }
        if self.object(owner).kind == Symbol::default() {
            self.object_mut(owner).kind = self.symbols.intern(&reference.kind);
            self.object_mut(owner).custom = is_custom(&reference.group);
        }
        if let Some(former) = self.object(id).owner {
            self.leave_owners(id, former);
            self.object_mut(former).children.retain(|child| *child != id);
        }
        self.unsettle(id);
        self.object_mut(id).owner = Some(owner);
        self.object_mut(owner).children.push(id);
    }

    fn learn_managers(&mut self, id: ObjectId, state: &ObjectState) {
        let managers = state.managed_by.iter().map(|manager| {
            let namespace = manager.namespace.as_ref().map(|namespace| self.symbols.intern(namespace));
            (self.symbols.intern(&manager.kind), namespace, crate::mention(&manager.name))
        });
        let managers: SmallVec<_> = managers.collect();
        if self.object(id).managed_by != managers {
            self.unsettle(id);
            self.object_mut(id).managed_by = managers;
        }
    }

    /// Takes out of the former owners what an object, and what it owns, disturbed them with.
    fn leave_owners(&mut self, id: ObjectId, former: ObjectId) {
        let above: Vec<ObjectId> = self.lineage(former).collect();
        for owner in above {
            let mut disturbances = std::mem::take(&mut self.object_mut(owner).disturbances);
            disturbances.retain(|step| self.lineage(self.step(*step).object).all(|object| object != id));
            self.object_mut(owner).disturbances = disturbances;
        }
    }

    /// The writers that a version names; those of its status reconcile its kind.
    pub(crate) fn managers_of(
        &mut self,
        state: &ObjectState,
        revealed: &mut Vec<ActorId>,
    ) -> SmallVec<[ManagerMark; 2]> {
        let kind = self.symbols.intern(&state.kind.kind);
        let mut marks = SmallVec::new();
        for manager in &state.managers {
            let actor = self.actors.manager(&manager.name, &mut self.symbols);
            let status = manager.subresource == "status";
            if status && self.actors.reconciles(actor, kind) {
                revealed.push(actor);
            }
            marks.push(ManagerMark { actor, hash: entry_hash(manager), status });
        }
        marks
    }

    /// Notes what a writer reconciles: the kind whose status it wrote, or whose child it made.
    pub(crate) fn note_role(&mut self, actor: ActorId, object: ObjectId, status: bool) -> Option<ActorId> {
        let subject = if status { Some(object) } else { self.object(object).owner };
        if self.object(object).mark == Some(fact::Mark::Manual) {
            return None;
        }
        let kind = self.object(subject?).kind;
        (kind != Symbol::default() && self.actors.reconciles(actor, kind)).then_some(actor)
    }

    pub(crate) fn name_from(&mut self, object: ObjectId, write: &Write) {
        if !self.object(object).name.is_empty() || write.target.name.is_empty() {
            return;
        }
        let state = ObjectState {
            kind: write.target.kind.clone(),
            namespace: write.target.namespace.clone(),
            name: write.target.name.clone(),
            uid: self.object(object).uid.clone(),
            ..ObjectState::default()
        };
        self.learn(&state);
    }

    pub(crate) fn target_of(&mut self, write: &Write, state: &ObjectState) -> ObjectId {
        if state.uid.is_empty() {
            return self.placeholder(write);
        }
        let object = self.intern_object(&state.uid);
        self.name_from(object, write);
        object
    }
}

/// Whether an API group is none of Kubernetes' own.
fn is_custom(group: &str) -> bool {
    group.contains('.') && !group.ends_with(".k8s.io")
}

/// Tells two entries of managedFields apart.
fn entry_hash(manager: &fact::Manager) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(manager.name.as_bytes());
    hasher.write(manager.subresource.as_bytes());
    hasher.write_i64(manager.time.as_nanos());
    u32::try_from(hasher.finish() >> 32).unwrap_or_default()
}

/// The conditions as one text, a line for each: a pod has five, and there may be a hundred thousand pods.
fn lines(conditions: &[fact::Condition]) -> Box<str> {
    let lines: Vec<String> = conditions.iter().map(ToString::to_string).collect();
    lines.join("\n").into()
}
