//! Steps that name their object without its UID: they find it once it is known.

use clew_model::Time;

use crate::fact::{Uid, Write};
use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::StepId;

/// Creation times have whole seconds; a write may seem to come before its object.
const SECOND: i64 = 1_000_000_000;

impl Memory {
    /// What stands for the object of a write until it is known.
    pub(crate) fn placeholder(&mut self, write: &Write) -> ObjectId {
        let target = &write.target;
        let uid = Uid::Other(format!("?{}/{}/{}", target.kind.resource, target.namespace, target.name).into());
        let id = self.intern_object(&uid);
        if !self.object(id).placeholder {
            let resource = self.symbols.intern(&target.kind.resource);
            let namespace = self.symbols.intern(&target.namespace);
            let object = self.object_mut(id);
            object.placeholder = true;
            object.resource = resource;
            object.namespace = namespace;
            object.name.clone_from(&target.name);
            // What is done to it may follow from the namespace's end, which may become known later.
            self.file_namespace(namespace, id);
        }
        id
    }

    /// Lets a step of a placeholder wait for the object that has its name.
    pub(crate) fn await_name(&mut self, object: ObjectId, step: StepId) {
        let stands = self.object(object);
        if !stands.placeholder || stands.name.is_empty() {
            return;
        }
        let key = (stands.resource, stands.namespace, crate::mention(&stands.name));
        self.awaiting.entry(key).or_default().push(step);
        self.resolvable.push(key);
    }

    /// Moves waiting steps to the objects that have become known; gives back the objects that this touched.
    pub(crate) fn resolve_names(&mut self) -> Vec<ObjectId> {
        let mut touched = Vec::new();
        for key in std::mem::take(&mut self.resolvable) {
            for step in self.awaiting.get(&key).cloned().unwrap_or_default() {
                let Some(time) = self.find_step(step).map(|step| step.time) else { continue };
                let Some(object) = self.alive_at(self.by_name_key(key), time) else { continue };
                let former = self.step(step).object;
                if former != object {
                    self.move_step(step, object);
                    touched.extend([former, object]);
                }
            }
        }
        touched
    }

    /// Of the objects that had one name, the one that had it at a time.
    fn alive_at(&self, objects: &[ObjectId], time: Time) -> Option<ObjectId> {
        let born = |id: &ObjectId| self.object(*id).created.unwrap_or(Time::MIN);
        let alive = objects.iter().copied().filter(|id| born(id) <= time.saturating_add(SECOND));
        alive.max_by_key(born)
    }

    fn move_step(&mut self, step: StepId, to: ObjectId) {
        let from = self.step(step).object;
        self.object_mut(from).steps.retain(|other| *other != step);
        self.object_mut(from).changes.retain(|other| *other != step);
        self.step_mut(step).object = to;
        self.step_mut(step).settled = false;
        self.object_mut(to).steps.push(step);
        self.sort_steps(to);
    }
}
