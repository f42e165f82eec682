//! Objects that name one another: what a controller makes from a custom resource, a claim's volume, a scaler's target.

use clew_model::Evidence;

use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Step, StepId};
use crate::symbol::Symbol;

use super::Found;
use super::candidates::MAX_CANDIDATES;

impl Memory {
    /// The Service that an `IPAddress` was made for: only the API server makes these.
    pub(super) fn by_parent(&self, step: &Step) -> Found {
        let object = self.object(step.object);
        if self.symbols.text(object.resource) != "ipaddresses" {
            return None;
        }
        let parents = self.mentioned_by(step.object).filter(|other| self.names_kind(step.object, *other));
        let changes = parents.filter_map(|parent| self.creation_of(parent));
        let made = changes.filter(|change| self.step(*change).may_cause(step)).max_by_key(|id| self.step(*id).time)?;
        Some((made, Evidence::Reference))
    }

    /// What was deleted because of the deletion of an object that it names, or that names it.
    pub(super) fn by_deleted_reference(&self, step: &Step) -> Found {
        let deletions = self.related(step).filter_map(|object| self.deletion_of(object));
        let earlier: Vec<StepId> = deletions.filter(|id| self.step(*id).before(step)).collect();
        self.last_before(&earlier, step).map(|found| (found, Evidence::Reference))
    }

    /// The objects that a step's object names, those that name it, and those of the same name.
    fn related(&self, step: &Step) -> impl Iterator<Item = ObjectId> {
        let resource = self.object(step.object).resource;
        let namesakes = self.namesakes(step.object).filter(move |other| self.object(*other).resource != resource);
        self.mentioned_by(step.object).chain(self.mentioning_object(step)).chain(namesakes)
    }

    /// Whether an object names the other's kind too, as `scaleTargetRef` and `parentRef` do.
    pub(super) fn names_kind(&self, from: ObjectId, to: ObjectId) -> bool {
        let to = self.object(to);
        let kind = crate::mention(&self.symbols.text(to.kind).to_ascii_lowercase());
        let resource = crate::mention(self.symbols.text(to.resource));
        let mentions = &self.object(from).mentions;
        mentions.contains(&kind) || mentions.contains(&resource)
    }

    /// The objects that an object names; one of the cluster also those in its controller's own namespace.
    pub(crate) fn named_by(&self, id: ObjectId, home: Symbol) -> impl Iterator<Item = ObjectId> {
        let object = self.object(id);
        let named = object.mentions.iter().flat_map(|mention| self.named(*mention).iter().take(MAX_CANDIDATES));
        let at_home = object.namespace == Symbol::default() && home != Symbol::default();
        named.copied().filter(move |other| {
            let is_home = at_home && self.object(*other).namespace == home;
            *other != id && (is_home || self.may_mention(id, *other))
        })
    }

    /// The objects that an object names.
    pub(crate) fn mentioned_by(&self, id: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.named_by(id, Symbol::default())
    }

    /// The objects that name a step's object.
    pub(super) fn mentioning_object(&self, step: &Step) -> impl Iterator<Item = ObjectId> {
        let object = self.object(step.object);
        let naming = self.mentioning(crate::mention(&object.name)).iter().take(MAX_CANDIDATES);
        naming.copied().filter(move |other| *other != step.object && self.may_mention(*other, step.object))
    }

    /// A name means an object of the same namespace, or one whose namespace is named too, or the cluster's.
    fn may_mention(&self, from: ObjectId, to: ObjectId) -> bool {
        let (from, to) = (self.object(from), self.object(to));
        let none = crate::symbol::Symbol::default();
        if to.namespace == from.namespace || to.namespace == none {
            return true;
        }
        let namespace = crate::mention(self.symbols.text(to.namespace));
        from.mentions.contains(&namespace)
    }
}
