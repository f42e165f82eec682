//! Objects that name one another: what a controller makes from a custom resource, a claim's volume, a scaler's target.

use clew_model::Evidence;

use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Effect, Step, StepId};

use super::Found;

/// How long after a change its controller may still act on what it names, where nothing stronger is known.
const RECENT: i64 = 30_000_000_000;
/// How many objects of one name are looked at.
const MAX_CANDIDATES: usize = 64;

impl Memory {
    /// What a controller wrote because of an object that names it, that it names, or that it just dealt with.
    pub(super) fn by_reference(&self, step: &Step) -> Found {
        if !self.is_by_controller(step) {
            return None;
        }
        let of_kind = self.related(step).filter(|other| self.names_kind(step.object, *other));
        let found = self.last_change_among(of_kind, step).or_else(|| self.last_change_among(self.related(step), step));
        if let Some(found) = found {
            return Some((found, Evidence::Reference));
        }
        self.just_dealt_with(step).map(|found| (found, Evidence::Timing))
    }

    /// The Service that an `IPAddress` was made for: only the API server makes these.
    pub(super) fn by_parent(&self, step: &Step) -> Found {
        let object = self.object(step.object);
        if self.symbols.text(object.resource) != "ipaddresses" {
            return None;
        }
        let parents = self.mentioned_by(step).filter(|other| self.names_kind(step.object, *other));
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

    fn later_of(&self, one: Option<StepId>, other: Option<StepId>) -> Option<StepId> {
        match (one, other) {
            (Some(one), Some(other)) if self.step(one).before(self.step(other)) => Some(other),
            (one, other) => one.or(other),
        }
    }

    /// The objects that a step's object names, those that name it, and those of the same name.
    fn related(&self, step: &Step) -> impl Iterator<Item = ObjectId> {
        let resource = self.object(step.object).resource;
        let namesakes = self.namesakes(step.object).filter(move |other| self.object(*other).resource != resource);
        self.mentioned_by(step).chain(self.mentioning_object(step)).chain(namesakes)
    }

    /// Whether one of two objects names the other's kind too, as `scaleTargetRef` and `parentRef` do.
    fn names_kind(&self, one: ObjectId, other: ObjectId) -> bool {
        let says = |from: ObjectId, to: ObjectId| {
            let to = self.object(to);
            let kind = crate::mention(&self.symbols.text(to.kind).to_ascii_lowercase());
            let resource = crate::mention(self.symbols.text(to.resource));
            let mentions = &self.object(from).mentions;
            mentions.contains(&kind) || mentions.contains(&resource)
        };
        says(one, other) || says(other, one)
    }

    /// The objects that a step's object names.
    fn mentioned_by(&self, step: &Step) -> impl Iterator<Item = ObjectId> {
        let object = self.object(step.object);
        let named = object.mentions.iter().flat_map(|mention| self.named(*mention).iter().take(MAX_CANDIDATES));
        named.copied().filter(move |other| *other != step.object && self.may_mention(step.object, *other))
    }

    /// The objects that name a step's object.
    fn mentioning_object(&self, step: &Step) -> impl Iterator<Item = ObjectId> {
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
        from.namespace == none && from.mentions.contains(&namespace)
    }

    /// The last change among objects that the writer reconciles, or that are recent.
    fn last_change_among(&self, objects: impl Iterator<Item = ObjectId>, step: &Step) -> Option<StepId> {
        let mut best = None;
        for object in objects {
            let reconciles = step.actor.is_some_and(|actor| self.actors.has_role(actor, self.object(object).kind));
            let changes = self.object(object).changes.iter().rev().copied();
            let Some(change) = changes.clone().find(|id| self.step(*id).may_cause(step)) else { continue };
            let recent = step.time.since(self.step(change).time) < RECENT;
            if reconciles || recent {
                best = self.later_of(best, Some(change));
            }
        }
        best
    }

    /// The change that the writer dealt with last: whose object it wrote to just before.
    fn just_dealt_with(&self, step: &Step) -> Option<StepId> {
        let actor = step.actor?;
        let namespace = self.object(step.object).namespace;
        let dealt = self.dealings.get(&actor)?.range(..=(step.time, StepId(u32::MAX))).rev().take(MAX_CANDIDATES);
        let dealt = dealt.filter_map(|(_, id)| self.find_step(*id)).filter(|other| {
            let near = step.time.since(other.time);
            other.object != step.object && other.before(step) && (0..RECENT).contains(&near)
        });
        let same_namespace = |other: &&Step| self.object(other.object).namespace == namespace;
        let other = dealt.filter(same_namespace).max_by_key(|other| other.time)?;
        let object = self.object(other.object);
        let reconciled = self.actors.has_role(actor, object.kind);
        let change = self.last_before(&object.changes, step)?;
        (reconciled && self.step(change).effect != Effect::Deleted).then_some(change)
    }
}
